"""Environments as the analysis knows them: those of the catalogue, then those that only rounds know (host, kit, somebody else's).

In: the catalogue, the raw directory and the rounds in it. Out: the entries of definitions.json.
"""

from collections.abc import Iterable
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images.catalogue import Catalogue, Environment
from jcarerun.rounds import documents
from jcarerun.rounds.damage import Damage

UNKNOWN = "not in the catalogue"


def _listed(name: str, entry: Environment) -> dict:
    jdk = entry.jdk
    return {
        "id": name, "label": entry.label, "os": entry.system_label, "system": entry.system, "platform": entry.platform,
        "caveat": entry.caveat, "jdk": jdk.label if jdk else UNKNOWN, "jdk_id": jdk.id if jdk else None,
        "java": jdk.java if jdk else None, "tags": list(entry.tags),
    }  # fmt: skip


def _record(raw: Path, paths: Iterable[str]) -> dict:
    """The first environment record of some rounds that can be read; rounds that are not whole are refused elsewhere."""
    for path in paths:
        try:
            return documents.record(raw / path, "environment.json")
        except (UserError, Damage):
            continue
    return {}


def _known_from_rounds(name: str, record: dict) -> dict:
    jdk = record.get("jdk") if isinstance(record.get("jdk"), dict) else {}
    return {
        "id": name, "label": record.get("label") or name, "os": record.get("system") or UNKNOWN,
        # Of no entry of systems: it stands for itself, so that it is compared with none of them.
        "system": name, "platform": record.get("platform"), "caveat": record.get("caveat"),
        "jdk": jdk.get("label") or UNKNOWN, "jdk_id": jdk.get("id"), "java": jdk.get("java"), "tags": [],
    }  # fmt: skip


def described(catalogue: Catalogue, raw: Path, paths: Iterable[str]) -> list[dict]:
    """Every environment of the catalogue, and those that only the rounds at `paths` below `raw` know."""
    listed = [_listed(name, entry) for name, entry in catalogue.environments.items()]
    others: dict[str, list[str]] = {}
    for path in paths:
        if (name := path.split("/")[1]) not in catalogue.environments:
            others.setdefault(name, []).append(path)
    return listed + [_known_from_rounds(name, _record(raw, own)) for name, own in sorted(others.items())]
