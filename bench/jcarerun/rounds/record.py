"""A round's records: round.json, what the plan says of it and what only the run knows; environment.json, audit.json."""

import hashlib
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jcarerun.errors import shown
from jcarerun.rounds import tree
from jcarerun.rounds.forks import Fork
from jcarerun.rounds.tree import InvalidRound
from jcarerun.support.engine import ENGINES
from jcarerun.support.files import parse_json


def read_json(folder: Path, name: str) -> Any:
    """What a JSON file holds. Raises InvalidRound for one that is damaged or that two readers would read differently."""
    try:
        return parse_json(tree.read(folder, name))
    except ValueError as error:
        raise InvalidRound(name, f"not whole JSON ({error})") from None


def read_object(folder: Path, name: str) -> dict[str, Any]:
    """A JSON file that holds an object."""
    found = read_json(folder, name)
    if not isinstance(found, dict):
        raise InvalidRound(name, "not a record")
    return found


SCHEMA, FILE = 2, "round.json"
ENVIRONMENT, AUDIT, VERSION = "environment.json", "audit.json", "jvm/version.txt"
TIERS = ("smoke", "quick", "standard", "full")
# In place of a tier: of no run, but of a cell (bench/jcarerun/plan/reference_forks.py).
REFERENCE, EARLY = REFERENCE_FORKS = "reference", "early"
KIT = "kit"
MOST_STAGES = 9
PLATFORMS = ("linux", "windows", "macos", "darwin", "other")

_SHA256 = "[0-9a-f]{64}"
# Of a text: a CPU's flags have some 2,000.
MOST_CHARS = 10_000
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def _text(pattern: str) -> Any:
    whole = re.compile(pattern)
    return lambda value: isinstance(value, str) and whole.fullmatch(value) is not None


def _whole(least: int) -> Any:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return is_number(value) and value >= 0


def _time(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False


_ID = _text("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
KEYS = {
    "schema": lambda value: value == SCHEMA and _whole(1)(value), "experiment": _ID, "environment": _ID, "round": _ID,
    "number": _whole(1), "stage": lambda value: _whole(1)(value) and value <= MOST_STAGES,
    "plan_sha256": _text(f"(?:{_SHA256})?"),
    "tier": lambda value: value in (*TIERS, *REFERENCE_FORKS), "seed": _whole(0), "order_seed": _whole(0), "expected_s": _number,
    "engine": lambda value: value in (*ENGINES, KIT), "machine_id": _text("[0-9a-f]{12}"),
    "image_id": _text(f"(?:sha256|host|kit):{_SHA256}"), "jar_sha256": _text(_SHA256),
    "providers": lambda value: isinstance(value, dict) and all(map(_text(f"(?:{_SHA256})?"), value.values())),
    "started_at": _time, "finished_at": _time, "elapsed_s": lambda value: _number(value) and value > 0,
    "looks": lambda value: _whole(1)(value) and value <= MOST_STAGES,
    # Of the runner, where the benchmarks are those of an external jar.
    "harness_sha256": _text(f"(?:{_SHA256})?"),
    # The command that measures the round once more.
    "repeat": _text(r"[^\x00-\x1f\x7f]{0,500}"),
}  # fmt: skip


def check_texts(name: str, value: Any) -> None:
    """Raise InvalidRound for a text of a record that is over-long or has other control characters than line ends."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            check_texts(name, each)
    elif isinstance(value, str) and (len(value) > MOST_CHARS or CONTROL.search(value)):
        raise InvalidRound(name, f"{shown(value)} is over {MOST_CHARS} characters, or has control characters")


def now() -> str:
    """UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write(folder: Path, planned: dict, facts: dict) -> None:
    """Write round.json: the plan's part of it, and `facts` that only the run knows."""
    (folder / FILE).write_text(json.dumps({"schema": SCHEMA, **planned, **facts}, indent=1) + "\n")


def read(folder: Path, path: str) -> dict[str, Any]:
    """round.json, each key as it must be. Raises InvalidRound for a missing or strange one, or another place than `path`."""
    found = {"looks": 1, "harness_sha256": "", "repeat": "", **read_object(folder, FILE)}
    for key in sorted(found.keys() ^ KEYS.keys()):
        raise InvalidRound(FILE, f"{key}: {'no key of a round' if key in found else 'missing'}")
    for key, good in KEYS.items():
        if not good(found[key]):
            raise InvalidRound(FILE, f"{key}: {str(found[key])[:80]!r} can't be")
    if (place := "/".join(found[key] for key in ("experiment", "environment", "round"))) != path:
        raise InvalidRound(FILE, f"is of {place}, not of {path}")
    if (found["stage"] > 1) != bool(found["plan_sha256"]):
        raise InvalidRound(FILE, f"plan_sha256: {found['plan_sha256'] or 'empty'!r} in stage {found['stage']}")
    if not re.fullmatch(rf"{found['tier']}-[0-9a-f]{{8}}-{found['number']:02d}", found["round"]):
        raise InvalidRound(FILE, f"round: {found['round']} is not round {found['number']} of tier {found['tier']}")
    started, finished = (datetime.fromisoformat(found[key]) for key in ("started_at", "finished_at"))
    # A second of slack: these are a wall clock's, which may be set while the round runs.
    if (finished - started).total_seconds() < -1:
        raise InvalidRound(FILE, "finished_at: it ends before it begins")
    return found


def check(folder: Path, path: str, forks: dict[int, Fork], elapsed_ms: int) -> dict[str, Any]:
    """Hold the records against each other, the round's place and its forks, which took that long together; return round.json."""
    found = read(folder, path)
    if set(found["providers"]) != {fork.provider for fork in forks.values()}:
        raise InvalidRound(FILE, f"providers: {', '.join(found['providers'])[:200]}: not those of the forks")
    if elapsed_ms / 1000 > found["elapsed_s"] + 1:
        raise InvalidRound(FILE, f"elapsed_s: {found['elapsed_s']}, its forks took {elapsed_ms / 1000}")
    environment, audit = read_object(folder, ENVIRONMENT), read_object(folder, AUDIT)
    for name, content in ((ENVIRONMENT, environment), (AUDIT, audit)):
        check_texts(name, content)
    for key in ("environment", "image_id"):
        if environment.get(key) != found[key]:
            raise InvalidRound(ENVIRONMENT, f"{key}: {environment.get(key)!r}, {found[key]} in {FILE}")
    if environment.get("platform") not in PLATFORMS or not isinstance(environment.get("label"), str):
        raise InvalidRound(ENVIRONMENT, "lacks platform or label")
    if not isinstance(environment.get("jdk"), dict | None) or not isinstance(environment.get("caveat"), str | None):
        raise InvalidRound(ENVIRONMENT, "jdk or caveat can't be so")
    host, inside = audit.get("host"), audit.get("container")
    if not isinstance(host, dict) or (host.get("machine_id"), audit.get("engine")) != (
        found["machine_id"],
        found["engine"],
    ):
        raise InvalidRound(AUDIT, "is of another machine or engine than the round")
    if isinstance(inside, dict) and str(inside.get("image")).removeprefix("sha256:") != found["image_id"].removeprefix(
        "sha256:"
    ):
        raise InvalidRound(AUDIT, f"container.image: {inside.get('image')}, {found['image_id']} in {FILE}")
    if found["engine"] == KIT and found["image_id"] != (own := kit_image(folder)):
        raise InvalidRound(FILE, f"image_id: {found['image_id']}, but {VERSION} says {own}")
    return found


def kit_image(folder: Path) -> str:
    """What stands for a kit's JVM: what it says of its version, without warnings, which come from a fork's options."""
    lines = (line.strip().decode("latin-1") for line in re.split(rb"[\r\n]+", tree.read(folder, VERSION)))
    text = "\n".join(line for line in lines if line and "warning:" not in line)
    return f"{KIT}:{hashlib.sha256(text.encode()).hexdigest()}"
