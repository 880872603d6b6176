"""Makes a round's records of what a kit captured: what its machine and its JVM said of themselves, as they said it.

In: a round as a kit left it, with machine/ (jcarerun.kit.Capture). Out: round.json, environment.json and audit.json,
as whoever runs the pipeline's own rounds writes them.
"""

import json
import re
from pathlib import Path

from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round
from jcarerun.rounds import audit, record, tables
from jcarerun.rounds.tree import InvalidRound
from jcarerun.run import limits

FOLDER = "machine"
ROUND, HOST, BEFORE, AFTER = (f"{FOLDER}/{name}.txt" for name in ("round", "host", "before", "after"))

CAPTURES = "".join(
    f"{when}\t{path}\t{','.join(keys)}\n"
    for when, files in (("host", audit.HOST_FILES), ("moment", audit.MOMENT_FILES))
    for path, keys in files.items()
)
# A number as Java writes it, and what stands for one that the system does not tell.
_NUMBER = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?(?:E-?[0-9]{1,2})?")
_UNKNOWN = {"NaN", "-1", "-1.0"}
WINE = "Windows' build of the JVM on Wine, not Windows itself"


def readings(folder: Path, name: str) -> dict[str, str]:
    """The `key=value` lines of a captured file. Raises InvalidRound for another file."""
    pairs = [line.partition("=") for line in tables.lines(folder, name) if line]
    found = {key: value for key, separator, value in pairs if separator and key and value}
    if len(found) != len(pairs):
        raise InvalidRound(name, "is no list of key=value lines")
    record.check_texts(name, found)
    found = {key: value for key, value in found.items() if not (key.startswith("bean ") and value in _UNKNOWN)}
    for key in ("cpus", *(each for each in found if each.startswith("bean "))):
        if not _NUMBER.fullmatch(found.get(key, "0")):
            raise InvalidRound(name, f"{key} is {found[key][:80]!r}, a number of 0 or more expected")
    return found


def _system(folder: Path, host: dict[str, str]) -> str:
    """The system in words, for people."""
    name, version = host.get("os.name", "?"), host.get("os.version", "?")
    if host.get("wine") == "true":
        return f"{name} on Wine"
    own = audit.Files(folder / FOLDER / "host").field("/etc/os-release", "PRETTY_NAME")
    return own or f"{name} ({version})"


def _environment(folder: Path, planned: Round, host: dict[str, str]) -> dict:
    version, system = host.get("java.runtime.version", "?"), _system(folder, host)
    jdk = {
        "id": version,
        "label": f"{host.get('java.vendor', '?')} {version}",
        "java": int(host.get("java.specification.version", "0").removeprefix("1.")),
    }
    return {
        "environment": planned.environment, "label": f"{system}, {jdk['label']} (kit)", "image_id": record.kit_image(folder),
        "system": system, "suite": None, "platform": host.get("platform"),
        "caveat": WINE if host.get("wine") == "true" else None, "jdk": jdk, "packages": [], "drift": [],
    }  # fmt: skip


def _audit(folder: Path, planned: Round, host: dict[str, str], registry: Registry) -> dict:
    captured = folder / FOLDER
    forbidden = {cell.cpu_profile: registry.cpu_profiles[cell.cpu_profile].forbidden_flags for cell in planned.cells}
    before, after = (audit.moment(captured / Path(name).stem, readings(folder, name)) for name in (BEFORE, AFTER))
    return {
        "host": audit.host(captured / "host", host), "before": before, "after": after,
        "steal_share": audit.steal_share(before, after), "busy_programs": None,  # a kit sees no other programs
        "engine": record.KIT, "engine_version": None, "container": None,
        "limits": {"asked": None, "inside": limits.read(folder), "enforced": None},
        "intrinsics": limits.check_flags(folder, forbidden),
    }  # fmt: skip


def write(folder: Path, planned: Round, providers: dict[str, str], registry: Registry) -> None:
    """Write the records of a round that a kit measured. Raises InvalidRound or UserError for captures that can't be read."""
    host, own = readings(folder, HOST), readings(folder, ROUND)
    try:
        environment, found = _environment(folder, planned, host), _audit(folder, planned, host, registry)
        elapsed = float(own["elapsed_s"])
    except (KeyError, ValueError) as error:
        raise InvalidRound(ROUND, f"or a file beside it, can't be read ({error})") from None
    facts = {
        "engine": record.KIT,
        "machine_id": host.get("machine_id"),
        "image_id": environment["image_id"],
        "jar_sha256": own.get("jar_sha256"),
        "providers": providers,
        "started_at": own.get("started_at"),
        "finished_at": own.get("finished_at"),
        "elapsed_s": elapsed,
    }
    for name, content in ((record.ENVIRONMENT, environment), (record.AUDIT, found)):
        record.check_texts(f"{FOLDER}/", content)
        (folder / name).write_text(json.dumps(content, indent=1) + "\n")
    record.write(folder, planned.record(), facts)
