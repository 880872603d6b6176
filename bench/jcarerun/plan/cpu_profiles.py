"""Reads cpu_profiles.yaml: what forks may see of the CPU, and what must read back as off (jcarerun.run.limits)."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.yamlfile import load_checked, nearest

FILE = Path("bench/cpu_profiles.yaml")
SCHEMA = Path("bench/schemas/cpu_profiles.schema.yaml")
NATIVE = "native"


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

    def flags_left(self, flags: frozenset[str]) -> frozenset[str]:
        """Those of a CPU's flags, as /proc/cpuinfo names them, that the profile does not forbid to native code or the JVM."""
        off = {_plain_name(feature) for bits in self.bits.values() for feature in bits}
        return frozenset(flag for flag in flags if _plain_name(flag) not in off)

    def script_text(self) -> str:
        """A script that starts `java` with the profile's variables, for JMH's `-jvm`; or the native program that is named."""
        exports = [f"export {name}='{value}'\n" for name, value in self.variables.items()]
        return "".join(["#!/bin/sh\n", *exports, 'exec "${JCARERUN_PROGRAM:-java}" "$@"\n'])


# Linux's names of features that differ from those of `features` by more than their signs.
_LINUX_NAMES = {"aes": "aesni", "shani": "sha"}


def _plain_name(feature: str) -> str:
    """A CPU feature's name without signs, the same for `SSE4.1` and Linux's `sse4_1`."""
    name = re.sub("[^a-z0-9]", "", feature.lower())
    return _LINUX_NAMES.get(name, name)


def read(path: Path = FILE) -> dict[str, CpuProfile]:
    """Profile id to CpuProfile. Raises UserError for what can't be used."""
    data = load_checked(path, SCHEMA)
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
