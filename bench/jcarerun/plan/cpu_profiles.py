"""Reads cpu_profiles.yaml: what forks may see of the CPU, and what must read back as off.

In: bench/cpu_profiles.yaml; a JVM's or a library's own account of what it uses. Out: CpuProfile; the forbidden features found on.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import tree
from jcarerun.support.files import where
from jcarerun.support.yamlfile import load_checked, nearest

FILE = Path("bench/cpu_profiles.yaml")
NATIVE = "native"

_FLAG = re.compile(r"^\s*\w+\s+(\w+)\s+:?=\s*([^\s{]*)")
# What HotSpot says of cryptography and vectors: every intrinsic, and the switches that stand above them.
_INTRINSIC = re.compile(r"Use\w+Intrinsics?|Use(AES|SHA|CLMUL|SSE|AVX)")


@dataclass(frozen=True)
class CpuProfile:
    """One CPU profile. `limits` is None or {cpus, memory_mib}; `bits` are those that each native library must not have."""

    id: str
    label: str
    jvm_options: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    limits: dict[str, int] | None = None
    forbidden_flags: dict[str, bool | int] = field(default_factory=dict)
    bits: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def marker(self) -> str:
        """The JVM argument by which a fork says which profile it has."""
        return f"-Djcarerun.cpu-profile={self.id}"

    @property
    def script(self) -> str:
        """Where the script that starts its forks lies below the round's directory."""
        return f"jvm/java-{self.id}"

    def script_text(self) -> str:
        """A script that starts `java` with the profile's variables, for JMH's `-jvm`; or the native program that is named."""
        exports = [f"export {name}='{value}'\n" for name, value in self.variables.items()]
        return "".join(["#!/bin/sh\n", *exports, 'exec "${JCARERUN_PROGRAM:-java}" "$@"\n'])

    def forbidden_on(self, found: dict[str, str]) -> list[str]:
        """The JVM's flags that are on though they must not be, as `name=value`."""
        return [
            f"{name}={found[name]}"
            for name, wanted in self.forbidden_flags.items()
            if name in found and not _allowed(found[name], wanted)
        ]


def _allowed(value: str, wanted: bool | int) -> bool:
    if isinstance(wanted, bool):
        return value == str(wanted).lower()
    return value.isdigit() and int(value) <= wanted


def flags(text: str) -> dict[str, str]:
    """Flag to value from the output of `java -XX:+PrintFlagsFinal`, of any JDK."""
    return dict(match.groups() for line in text.splitlines() if (match := _FLAG.match(line)))


def intrinsics(found: dict[str, str]) -> dict[str, str]:
    """Those of a JVM's flags that say which intrinsics it uses."""
    return {name: value for name, value in sorted(found.items()) if _INTRINSIC.fullmatch(name)}


def read(path: Path = FILE) -> dict[str, CpuProfile]:
    """Profile id to CpuProfile. Raises UserError for what can't be used."""
    data = load_checked(path, path.with_suffix(".schema.yaml"))
    return {name: _profile(path, name, entry, data["features"]) for name, entry in data["profiles"].items()}


def _profile(path: Path, name: str, entry: dict, features: dict[str, int]) -> CpuProfile:
    place, changes = f"{path}: profiles.{name}", [key for key in ("jvm_options", "variables") if key in entry]
    forbidden = dict(entry.get("forbidden", {}))
    if name == NATIVE and (changes or "limits" in entry):
        raise UserError(
            f"{place}: {NATIVE!r} is the machine as it is; give {', '.join(changes) or 'limits'} to another profile"
        )
    if "jvm_options" in entry and not forbidden:
        raise UserError(f"{place}.forbidden: missing; say what must read back as off")
    wanted_flags = forbidden.pop("jvm", {})
    for library, names in forbidden.items():
        for feature in names:
            if feature not in features:
                raise UserError(
                    f"{place}.forbidden.{library}: {feature!r} is no entry of features; {nearest(feature, features)}"
                )
    return CpuProfile(
        name,
        entry["label"],
        tuple(entry.get("jvm_options", ())),
        entry.get("variables", {}),
        entry.get("limits"),
        wanted_flags,
        {library: {feature: features[feature] for feature in names} for library, names in forbidden.items()},
    )


def check_flags(folder: Path, names: Iterable[str], profiles: dict[str, CpuProfile]) -> dict[str, dict[str, str]]:
    """CPU profile to the intrinsics its JVM used. Raises UserError if a feature was on that the profile forbids."""
    used = {}
    for name in sorted(set(names)):
        file = folder / f"jvm/flags-{name}.txt"
        found = flags(tree.read(folder, f"jvm/flags-{name}.txt").decode(errors="replace"))
        if on := profiles[name].forbidden_on(found):
            raise UserError(
                f"{where(file)}: {', '.join(on)}: must be off in the CPU profile {name}; correct its jvm_options in "
                f"{FILE}, or measure without it: cpu_profiles=[{NATIVE}]"
            )
        used[name] = intrinsics(found)
    return used
