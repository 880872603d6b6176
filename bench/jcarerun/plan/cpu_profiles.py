"""Reads cpu_profiles.yaml: what forks may see of the CPU, and what must read back as off (jcarerun.run.limits)."""

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

    def script_text(self) -> str:
        """A script that starts `java` with the profile's variables, for JMH's `-jvm`; or the native program that is named."""
        exports = [f"export {name}='{value}'\n" for name, value in self.variables.items()]
        return "".join(["#!/bin/sh\n", *exports, 'exec "${JCARERUN_PROGRAM:-java}" "$@"\n'])


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
