"""Locks: what an environment held when it was last looked at, and how a build differs from that."""

import json
from pathlib import Path

from envs.builder.catalogue import ENVS
from envs.builder.errors import UserError

KEYS = ("environment", "image_id", "system", "suite", "jdk", "packages")


def path(environment_id: str) -> Path:
    """The lock file of an environment."""
    return ENVS / "locks" / f"{environment_id}.json"


def write(record: dict) -> Path:
    """Write the lock for an environment's record; one package a line, so that a change reads well."""
    kept = {**{key: record[key] for key in KEYS}, "jdk": _jdk(record)}
    packages = ",\n".join("  " + json.dumps(package) for package in kept.pop("packages"))
    head = json.dumps(kept, indent=1)[:-2]
    target = path(record["environment"])
    target.parent.mkdir(exist_ok=True)
    target.write_text(f'{head},\n "packages": [\n{packages}\n ]\n}}\n')
    return target


def read(environment_id: str) -> dict | None:
    """The lock, or None where there is none. Raises UserError for a lock that can't be read."""
    file = path(environment_id)
    if not file.exists():
        return None
    try:
        lock = json.loads(file.read_text())
        return {key: lock[key] for key in KEYS}
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UserError(f"{file}: not a lock ({error}); write it anew with `make lock`") from None


def _jdk(record: dict) -> dict | None:
    """The JDK's identity: its label may be reworded."""
    return record["jdk"] and {key: value for key, value in record["jdk"].items() if key != "label"}


def _by_name(packages: list[dict]) -> dict[str, str]:
    return {p["name"]: f"{p['version']} {p['architecture']} {p['sha256']}" for p in packages}


def drift(record: dict, lock: dict | None) -> list[dict]:
    """What differs between a build's record and its lock: rows of `package`, `locked`, `found` (empty: not there).

    The image id is a row of its own where it alone differs, so that no difference is silent.
    """
    if lock is None:
        return [{"package": "(all)", "locked": "", "found": "no lock yet"}]
    before, after = _by_name(lock["packages"]), _by_name(record["packages"])
    rows = [
        {"package": name, "locked": _version(before.get(name)), "found": _version(after.get(name))}
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]
    if _jdk(lock) != _jdk(record):
        rows.append({"package": "(jdk)", "locked": str(_jdk(lock)), "found": str(_jdk(record))})
    if not rows and lock["image_id"] != record["image_id"]:
        rows.append({"package": "(image id)", "locked": lock["image_id"], "found": record["image_id"]})
    return rows


def _version(entry: str | None) -> str:
    """Version, with the start of the hash: the same version with other bytes must be seen."""
    if entry is None:
        return ""
    version, _, digest = entry.split(" ")
    return f"{version} ({digest[:8]})"
