"""Makes a round of what a kit sent back: what this checkout's plan wants, with its records, whole.

In: the round's directory as the kit left it, copied, with what its machine and its JVM said of themselves in machine/
(jcarerun.kit.Capture); the planned round. Out: a round as every other, or a UserError in one line that names the file.
"""

import json
import re
import tempfile
from dataclasses import replace
from pathlib import Path

from jcarerun.bundle import sealed
from jcarerun.kit import kit
from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round
from jcarerun.plan.workloads import compares_providers
from jcarerun.rounds import audit, forks, hot_path, interference, manifest, record, tables, tree, validate
from jcarerun.rounds.tree import InvalidRound, name_errors
from jcarerun.rounds.validate import RoundFacts
from jcarerun.run import container, limits
from jcarerun.support.files import confined, sha256, where

REMEDY = "have the kit's own zip sent again: a result is imported as it was measured, or not at all"
FOLDER = "machine"
ROUND, HOST, BEFORE, AFTER = (f"{FOLDER}/{name}.txt" for name in ("round", "host", "before", "after"))
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


def _write_records(folder: Path, planned: Round, providers: dict[str, str], registry: Registry) -> None:
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


def seed(folder: Path) -> int:
    """The seed of the run that a kit's round is of. Raises UserError where it tells none."""
    with name_errors(folder, REMEDY):
        text = readings(folder, ROUND).get("seed", "")
        if not re.fullmatch("[0-9]{1,18}", text):
            raise InvalidRound(ROUND, f"seed is {text[:80]!r}")
        return int(text)


def complete(folder: Path, planned: Round, registry: Registry) -> RoundFacts:
    """Hold a kit's round against its manifest and the planned round, write what the kit leaves to us, and return what it says.

    Raises UserError for the first thing that is amiss.
    """
    return confined(lambda: _complete(folder, planned, registry), where(folder), tree.size(folder))


def _complete(folder: Path, planned: Round, registry: Registry) -> RoundFacts:
    planned = replace(planned, environment=folder.parent.name)
    manifest.verify(folder, REMEDY, tree.CAPTURED)
    with name_errors(folder, REMEDY):
        _check_inputs(folder, planned, registry)
        asks = not planned.subject and any(compares_providers(cell.benchmark) for cell in planned.cells)
        if asks != (folder / forks.OFFERED).is_file():
            raise InvalidRound(forks.OFFERED, "missing, or of a round that asks nothing")
        _write_records(folder, planned, kit.provider_sums(planned, registry), registry)
        _check_record(folder, planned)
    facts = validate.validate_content(folder, REMEDY)
    hot_path.write(folder)
    (folder / manifest.NAME).unlink()
    manifest.write(folder)
    return facts


def _check_inputs(folder: Path, planned: Round, registry: Registry) -> None:
    """cells.csv, forks.tsv and gates.tsv are byte for byte what the kit was given."""
    with tempfile.TemporaryDirectory() as scratch:
        kit.write_inputs(Path(scratch), planned, registry)
        for name in (forks.CELLS, forks.FORKS, interference.GATES):
            if not (folder / name).is_file() or (folder / name).read_bytes() != (Path(scratch) / name).read_bytes():
                raise InvalidRound(name, "differs from this checkout's plan (changed, or of another kit)")


def _check_record(folder: Path, planned: Round) -> None:
    """The machine is the one that the place names, and the jar this checkout's or the experiment's."""
    found = record.read_object(folder, record.FILE)
    jar = planned.subject[0] if planned.subject else sha256(container.JAR)
    wanted = {"jar_sha256": jar, "machine_id": sealed.MACHINE.fullmatch(planned.environment).group(1)}
    for key, value in wanted.items():
        if found[key] != value:
            raise InvalidRound(f"{FOLDER}/", f"{key}: {found[key]!r}, but this checkout's plan has {value!r}")
