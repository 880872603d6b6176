"""Archives of raw rounds, `data/runs/<experiment>-<date>.tar.xz`: the same bytes from the same rounds.

An archive has every file of its rounds but HotSpot's compilation logs, which no result is read from: those stay for one round of
each experiment. A round's manifest lists the logs that are left out, and proves every file that is there. Logs lie in an archive
without their gzip, since xz packs plain text better; unpacking makes the very file again that the manifest lists.
"""

import argparse
import gzip
import io
import json
import lzma
import re
import tarfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jcarerun.bundle import sealed
from jcarerun.errors import UserError, say
from jcarerun.plan import settings
from jcarerun.rounds import manifest, record, tree, validate
from jcarerun.run import run, run_record
from jcarerun.run.limits import parse_cpuset
from jcarerun.support import engine as engines
from jcarerun.support.files import atomic_file, load_json, where, write_json

# Where the published archives lie, and in which directory of it those of trials.
RUNS, TRIALS = Path("data/runs"), "trials"
SUFFIX = ".tar.xz"
_NAME = re.compile(rf"({tree.ID.pattern})-[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}{re.escape(SUFFIX)}")
REMEDY = "give an archive that `jca-rerun pack` made"
# Rounds repeat most of each other's text, so the dictionary must be larger than a round. `lc` and `pb` are those for text.
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 64 << 20, "lc": 4, "pb": 0}]
# Byte 9 of a gzip header, the operating system, as JVMs of different versions write it.
_GZIP_SYSTEMS = (0x00, 0xFF, 0x03, 0x0A, 0x0B)
# The names of a report that is made from an archive: none of them is a machine's own.
KEPT = {"raw": "data/runs", "tidy": "results/tables", "report": "results/report.html"}


@dataclass(frozen=True)
class Packed:
    """What an archive has. logs_left_out: compilation logs that the manifests list and the archive lacks."""

    rounds: int
    reference_forks: int
    logs_left_out: int

    def __str__(self) -> str:
        return f"{self.rounds} rounds and {self.reference_forks} reference forks, without {self.logs_left_out} compilation logs"


def by_name(folder: Path) -> dict[str, list[Path]]:
    """Name to its archives in a directory, in the order of their dates. Raises UserError for a file of another name."""
    found: dict[str, list[Path]] = defaultdict(list)
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        if not (match := _NAME.fullmatch(file.name)):
            raise UserError(f"{file}: an archive is called <experiment>-<year>-<month>-<day>{SUFFIX}; rename it")
        found[match.group(1)].append(file)
    return dict(found)


def named(experiments: str | None) -> list[str]:
    """The experiments of an option `--experiments A,B`, with or without brackets."""
    return experiments.strip("[]").split(",") if experiments else []


def _experiment(path: str) -> str:
    return path.split("/")[0]


def _chosen(paths: Iterable[str], experiments: Iterable[str], tier: str = "") -> list[str]:
    wanted = set(experiments)
    chosen = [path for path in paths if not wanted or _experiment(path) in wanted]
    return [path for path in chosen if not tier or path.rpartition("/")[2].startswith(f"{tier}-")]


def _reference_forks(raw: Path) -> Path | None:
    """Where the reference forks of a raw directory are; this checkout keeps its own in data/reference_forks."""
    found = (
        run.REFERENCE_FORKS
        if raw.resolve() == settings.CHECKOUT_FOLDERS.raw.resolve()
        else raw / run_record.REFERENCE_FORKS
    )
    return found if found.is_dir() else None


def _record(folder: Path) -> dict:
    return record.read_object(folder, record.FILE)


def _with_logs(raw: Path, paths: Iterable[str]) -> set[str]:
    """The round of each experiment whose compilation logs are kept: its first by number and path."""
    first: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (_record(raw / path)["number"], path)):
        first.setdefault(_experiment(path), path)
    return set(first.values())


def _run_record(raw: Path, rounds: list[str], reference_forks: list[str]) -> dict:
    """run.json of these rounds: what the raw directory says of its run, or what its rounds say."""
    found = run_record.read(raw)
    if found:
        known = load_json(raw / run_record.NAME, run_record.REMEDY)
        ours = {_experiment(path) for path in rounds}
        left_out = [each for each in found.left_out if each["experiment"] in ours]
        order = [path for path in found.rounds if path in set(rounds)]
        return {**known, "left_out": left_out, "rounds": order, "reference_forks": reference_forks}
    records = [_record(raw / path) for path in rounds]
    if len(tiers := sorted({each["tier"] for each in records})) != 1:
        raise UserError(f"{where(raw)}: has rounds of the tiers {', '.join(tiers)}; name one with --tier")
    ordered = [
        path for _, path in sorted((each["started_at"], path) for each, path in zip(records, rounds, strict=True))
    ]
    return {
        "settings": _settings(raw / ordered[0], records[0]), "kept": KEPT, "left_out": [], "rounds": ordered,
        "reference_forks": reference_forks,
    }  # fmt: skip


def _settings(folder: Path, first: dict) -> dict:
    """The settings of a run as its first round was planned. Minutes are not known from rounds: 0 stands for no end."""
    given = {"tier": first["tier"], "seed": first["seed"], "minutes": 0}
    given["engine"] = first["engine"] if first["engine"] in engines.ENGINES else engines.HOST
    wanted = settings.WANTED.get(first["tier"], settings.OTHERWISE)["goal"]
    # The record of a round has the number of interim analyses: more than one with the goal `verdicts` alone.
    given["goal"] = (
        settings.VERDICTS if first.get("looks", 1) > 1 else {settings.VERDICTS: settings.INTERVALS}.get(wanted, wanted)
    )
    plan = folder / "plan.json"
    if plan.is_file():
        planned = load_json(plan, tree.RESTORE)
        given |= {"cpuset": planned["cpuset"], "memory": planned["memory_mib"]}
    elif given["engine"] != engines.HOST:
        limits = tree.read(folder, validate.LIMITS).decode()
        cpus = re.search(r"^cpuset: (.+)$", limits, re.MULTILINE)
        given["cpuset"] = ",".join(map(str, parse_cpuset(cpus.group(1)))) if cpus else ""
    chosen = settings.read(given)
    values = {key: getattr(chosen, key) for key in run_record.KEYS}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def _members(raw: Path, name: str, path: str, logs: bool) -> Iterator[tuple[str, bytes]]:
    """The files of a round in an archive, with its stamp and the plans of its stages.

    name: where the directory that `path` is below lies in the archive.
    """
    folder = raw / path
    for file in sorted(tree.file_names(folder, tree.ROUND)):
        content = tree.read(folder, file, manifest.MOST_BYTES)
        if not manifest.COMPILATION_LOG.fullmatch(file):
            yield f"{name}{path}/{file}", content
        elif logs:
            plain = gzip.decompress(content)
            if content in _gzips(plain):
                yield f"{name}{path}/{file.removesuffix('.gz')}", plain
            else:
                yield f"{name}{path}/{file}", content
    for file in sealed.companion_files(folder):
        yield f"{name}{Path(path).parent}/{file.name}", tree.read(file.parent, file.name)


def _gzips(plain: bytes) -> Iterator[bytes]:
    """A text as JVMs pack it by GZIPOutputStream."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31, 8)
    packed = packer.compress(plain) + packer.flush()
    for system in _GZIP_SYSTEMS:
        yield packed[:9] + bytes([system]) + packed[10:]


def pack(raw: Path, out: Path, experiments: Iterable[str] = (), tier: str = "") -> Packed:
    """Write the rounds of some experiments and a tier, or all, to an archive. Raises UserError for a round that is damaged.

    Each round is checked before it is packed.
    """
    if not out.name.endswith(SUFFIX):
        raise UserError(f"{out}: an archive of rounds is a {SUFFIX}; give it a name that ends so")
    rounds = _chosen(tree.folders(raw, 3), experiments, tier)
    if not rounds:
        asked = " of these experiments and this tier" if experiments or tier else ""
        raise UserError(f"{where(raw)}: has no round{asked}; measure one first")
    for path in rounds:
        validate.validate_round(raw / path)
    beside = _reference_forks(raw)
    jars = {_record(raw / path)["jar_sha256"] for path in rounds}
    reference_forks = _chosen(tree.folders(beside, 3), {_experiment(path) for path in rounds}) if beside else []
    reference_forks = [path for path in reference_forks if _record(beside / path)["jar_sha256"] in jars]
    members = {run_record.NAME: (json.dumps(_run_record(raw, rounds, reference_forks), indent=1) + "\n").encode()}
    logs = _with_logs(raw, rounds)
    left_out = 0
    for path in rounds:
        members |= _members(raw, "", path, path in logs)
        left_out += 0 if path in logs else _count_logs(raw / path)
    for path in reference_forks:
        validate.validate_round(beside / path)
        members |= _members(beside, f"{run_record.REFERENCE_FORKS}/", path, logs=False)
        left_out += _count_logs(beside / path)
    _write(members, out)
    return Packed(len(rounds), len(reference_forks), left_out)


def _count_logs(folder: Path) -> int:
    return sum(manifest.COMPILATION_LOG.fullmatch(name) is not None for name in tree.file_names(folder, tree.ROUND))


def _write(members: dict[str, bytes], out: Path) -> None:
    with (
        atomic_file(out) as part,
        lzma.open(part, "wb", format=lzma.FORMAT_XZ, filters=_FILTERS) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, content in sorted(members.items()):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            member.mode = 0o755 if "/jvm/java-" in name else 0o644
            archive.addfile(member, io.BytesIO(content))


def _known(name: str) -> bool:
    """Whether an archive may have a file of that name; a compilation log may lie there without its gzip."""
    packed = f"{name}.gz" if re.search(r"/jit/[0-9]+\.log$", name) else name
    return sealed.BUNDLE.file(f"{sealed.RAW}/{name}") or sealed.BUNDLE.file(f"{sealed.RAW}/{packed}")


def _read(archive: Path) -> dict[str, bytes]:
    """The files of an archive. Raises UserError for what is no archive of rounds."""
    found: dict[str, bytes] = {}
    left = sealed.BOUNDS.all
    try:
        with tarfile.open(archive, "r:xz") as packed:
            for member in packed:
                left -= member.size
                if not member.isreg() or not _known(member.name) or member.name in found:
                    raise UserError(f"{archive}: {member.name[:200]!r} is no file of a round; {REMEDY}")
                if left < 0 or len(found) >= sealed.BOUNDS.entries:
                    raise UserError(f"{archive}: is larger than any archive of rounds; {REMEDY}")
                found[member.name] = packed.extractfile(member).read()
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError) as error:
        raise UserError(f"{archive}: can't be read ({error}); {REMEDY}") from None
    return found


def unpack(archives: list[Path], raw: Path) -> Packed:
    """Restore the rounds of some archives in a directory, which the analysis then accepts with `raw=`.

    Raises UserError for a round that several archives have, and for one that is not as its manifest says.
    """
    records, rounds, reference_forks, left_out = [], [], [], 0
    for archive in archives:
        files = _read(archive)
        if run_record.NAME not in files:
            raise UserError(f"{archive}: has no {run_record.NAME}; {REMEDY}")
        for name, content in files.items():
            target = raw / name
            if name == run_record.NAME:
                continue
            if target.exists():
                raise UserError(f"{archive}: {name}: is in {where(raw)} already; unpack it in another directory")
            target.parent.mkdir(parents=True, exist_ok=True)
            if not name.endswith(".log") or "/jit/" not in name:
                target.write_bytes(content)
                target.chmod(0o755 if "/jvm/java-" in name else 0o644)
        (raw / run_record.NAME).write_bytes(files[run_record.NAME])
        of_archive = run_record.read(raw)
        records.append(json.loads(files[run_record.NAME]))
        for base, paths in ((raw, of_archive.rounds), (raw / run_record.REFERENCE_FORKS, of_archive.reference_forks)):
            prefix = "" if base == raw else f"{run_record.REFERENCE_FORKS}/"
            for path in paths:
                left_out += _restore_logs(base / path, f"{prefix}{path}/", files)
                validate.validate_round(base / path)
        rounds, reference_forks = rounds + of_archive.rounds, reference_forks + of_archive.reference_forks
    write_json(raw / run_record.NAME, _merged(archives, records))
    return Packed(len(rounds), len(reference_forks), left_out)


def _restore_logs(folder: Path, name: str, files: dict[str, bytes]) -> int:
    """Write the compilation logs of a round that an archive has; return how many more the manifest lists.

    A log whose gzip this machine's zlib makes otherwise is left out too: the manifest could not prove it.
    """
    listed = manifest.listed(folder)
    lacking = 0
    for each, digest in listed.items():
        if not manifest.COMPILATION_LOG.fullmatch(each) or (folder / each).exists():
            continue
        plain = files.get(name + each.removesuffix(".gz"))
        packed = (file for file in _gzips(plain) if manifest.digest(file) == digest) if plain is not None else iter(())
        if (content := next(packed, None)) is None:
            lacking += 1
        else:
            (folder / each).write_bytes(content)
    return lacking


def _merged(archives: list[Path], records: list[dict]) -> dict:
    """run.json of several archives, with the settings of the longest tier. Raises UserError for archives of different seeds."""
    seed = records[0]["settings"]["seed"]
    for archive, each in zip(archives, records, strict=True):
        if each["settings"]["seed"] != seed:
            raise UserError(
                f"{archive}: is of seed {each['settings']['seed']}, {archives[0].name} of {seed}; "
                "unpack them in directories of their own"
            )
    longest = run_record.longest(each["settings"]["tier"] for each in records)
    first = next(each for each in records if each["settings"]["tier"] == longest)
    parts = {key: [part for each in records for part in each[key]] for key in ("left_out", "rounds", "reference_forks")}
    return {**first, **parts}


def pack_command(arguments: argparse.Namespace) -> None:
    """`jca-rerun pack`."""
    made = pack(arguments.raw, arguments.out, named(arguments.experiments), arguments.tier or "")
    say(f"{arguments.out}: {made}, {arguments.out.stat().st_size / 1e6:.1f} MB")


def unpack_command(arguments: argparse.Namespace) -> None:
    """`jca-rerun unpack`."""
    say(f"{arguments.out}: {unpack(arguments.archives, arguments.out)}")
