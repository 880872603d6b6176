"""Faults while the whole of Snakemake runs: at points of a round's job, its processes and its engine are ended or told to end.

`make torture` runs it after the faults of single jobs. In: a case (torture_case.py). Out: complaints, none where the same command
goes on to the same rounds, of which R makes the same tables.
"""

import csv
import io
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import stamp
from jcarerun.run.run import RAW
from jcarerun.trials import replay
from jcarerun.trials.faults import Layer
from jcarerun.trials.torture_case import HASTE, Case

VARIABLE = "JCA_FAULT"
LONGEST_S = 300
READ_ONLY, SECOND = "read-only", "second"
# What a second run says, in the run's directory.
_SAID_BY_SECOND = Path("said-by-the-second")
TIDY = Path("data/tidy")
TIMES = {"started_at", "finished_at", "elapsed_s"}


def _told(number: int) -> Callable[[], None]:
    # The run is a process group of its own, and Snakemake its leader.
    return lambda: os.kill(os.getpgid(0), number)


def _gone() -> None:
    (replay.home() / "gone").touch()
    replay.end_all()


def _second() -> None:
    """The same command, while the first one works; to its end."""
    words = Path(f"/proc/{os.getpgid(0)}/cmdline").read_bytes().decode().split("\0")[:-1]
    with _SAID_BY_SECOND.open("w") as file:
        run = subprocess.run(
            words, env=os.environ | {VARIABLE: ""}, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
            start_new_session=True,
        )  # fmt: skip
        file.write(f"\nstatus {run.returncode}\n")


def _read_only() -> None:
    """Mount the rounds' directory read-only, as it is for all processes of this run and no other: root ignores rights."""
    subprocess.run(["mount", "--bind", RAW, RAW], check=True)
    subprocess.run(["mount", "--options", "remount,ro,bind", RAW], check=True)


KINDS = {
    "job": ("`kill -9` of the job", lambda: os.kill(os.getpid(), signal.SIGKILL)),
    "snakemake": ("`kill -9` of Snakemake", _told(signal.SIGKILL)),
    "all": ("`kill -9` of all processes at once", lambda: os.killpg(0, signal.SIGKILL)),
    "SIGINT": ("SIGINT to Snakemake", _told(signal.SIGINT)),
    "SIGTERM": ("SIGTERM to Snakemake", _told(signal.SIGTERM)),
    "SIGHUP": ("SIGHUP to Snakemake", _told(signal.SIGHUP)),
    "gone": ("the engine ends, with its containers", _gone),
    "restarted": ("the engine is started again", replay.end_all),
    READ_ONLY: ("the rounds' directory is mounted read-only", _read_only),
    SECOND: ("the same command is given a second time", _second),
}
# After these a run may end well: the round may have been done, or nothing befell it.
_HARMLESS = ("gone", "restarted", SECOND)
_OWN_MOUNTS = ("unshare", "--mount", "--propagation=private", "--")
# Of a job's points. The last is where the round is put in its place: a job of Snakemake's comes to fewer points than one alone,
# since Snakemake has made its log's directories.
SHARES = (0.02, 0.32, 0.94)


def in_job() -> None:
    """In the process of a round's job, before it begins: hasten its clock, and have the fault happen."""
    real = time.monotonic
    time.monotonic = lambda: real() * HASTE
    number, _, kind = os.environ.get(VARIABLE, "").partition(":")
    if number:
        actions = {name: action for name, (_, action) in KINDS.items()}
        Layer(Path("data").resolve(), int(number), kind, actions).install()


def may_mount() -> bool:
    """Whether a process here may have mounts of its own."""
    return subprocess.run([*_OWN_MOUNTS, "true"], capture_output=True).returncode == 0


def every(points: int) -> Iterator[tuple[int, str]]:
    """Each fault that is tried: at which point of the job, and which."""
    for kind in KINDS if may_mount() else KINDS.keys() - {READ_ONLY}:
        for share in SHARES:
            yield max(1, round(points * share)), kind


def _words(case: Case, config: dict, *targets: str) -> list[str]:
    settings = [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in config.items()]
    made = targets or [str(stamp.of(RAW / one.path)) for one in case.current.first]
    return ["snakemake", "--cores", "2", "--config", *settings, "--", *made]


def _prepare(case: Case) -> None:
    case.prepare()
    here = Path.cwd()
    for name in ("Snakefile", "profiles", "report"):
        (case.folder / name).symlink_to(here / name)
    # Experiments behind a link would lie in another checkout, and their results be kept there.
    (case.folder / "bench").unlink()
    shutil.copytree(here / "bench", case.folder / "bench", ignore=shutil.ignore_patterns("target", "__pycache__"))
    (case.folder / "bench/target").symlink_to(here / "bench/target")
    # What R reads must lie where its container can see it.
    shutil.copytree(here / "analysis", case.folder / "analysis")
    shutil.copytree(here / "data/published", case.folder / "data/published")


def _snakemake(case: Case, config: dict, fault: str = "") -> tuple[int, str]:
    """Measure the rounds, by the replaying engine; the exit status, and what was said."""
    here = Path.cwd()
    more = {
        "JCA_REPLAY": str(case.engine), "PATH": f"{case.engine}/bin:{os.environ['PATH']}", VARIABLE: fault,
        "PYTHONPATH": f"{here}/bench/jcarerun/trials/at_start:{here}/bench",
    }  # fmt: skip
    said = case.folder / "said"
    with said.open("w") as file:
        own = _OWN_MOUNTS if fault.endswith(READ_ONLY) else ()
        process = subprocess.Popen(
            [*own, *_words(case, config)], cwd=case.folder, env=os.environ | more, stdin=subprocess.DEVNULL, stdout=file,
            stderr=file, start_new_session=True,
            preexec_fn=lambda: [signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)],
        )  # fmt: skip
        try:
            status = process.wait(LONGEST_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status = 124
    return status, said.read_text(errors="replace")


def _free(case: Case) -> None:
    """Wait for processes that are just ending, as who gives the command again would see them gone."""
    end = time.monotonic() + 20
    while case.left() and time.monotonic() < end:
        time.sleep(0.2)


def complaints(case: Case, config: dict, number: int, kind: str) -> list[str]:
    """Let one fault happen in a whole run and give the same command again; what there is to complain of."""
    _prepare(case)
    status, said = _snakemake(case, config, f"{number}:{kind}")
    _free(case)
    found = ["did not end"] if status == 124 else []
    if status == 0 and kind not in _HARMLESS:
        found.append("was not hit")
    if kind == READ_ONLY and "make it writable and run again" not in said:
        found.append(f"does not say why it ends: {said.strip()[-400:]}")
    if kind == SECOND:
        found += _of_the_second(case, status)
    if "Traceback" in said:
        found.append(f"a stack trace: {said[-400:]}")
    found += case.left() + case.whole(every=False)
    (case.engine / "gone").unlink(missing_ok=True)
    status, said = (0, "") if found else _snakemake(case, config)
    if status:
        found.append(f"the same command does not go on (status {status}): {said.strip()[-400:]}")
    return found or case.left() + case.whole(every=True)


def _of_the_second(case: Case, status: int) -> list[str]:
    """What there is to complain of where two runs met: the second is refused in one line, and the first does not notice."""
    file = case.folder / _SAID_BY_SECOND
    said = file.read_text() if file.exists() else ""
    found = [] if status == 0 else [f"the first run ends with status {status}"]
    if said.count("error: ") != 1 or "another run works in this checkout" not in said or "status 2" not in said:
        found.append(f"the second run is not refused: {said.strip()[-400:]}")
    return found + (["a stack trace of the second run"] if "Traceback" in said else [])


def undisturbed(case: Case, config: dict) -> dict[str, bytes]:
    """The tables of a run that nothing befalls."""
    _prepare(case)
    status, said = _snakemake(case, config)
    if status:
        raise UserError(f"without a fault Snakemake fails: {said.strip()[-400:]}")
    return tables(case, config)


def tables(case: Case, config: dict) -> dict[str, bytes]:
    """What R makes of a case's rounds: each table's bytes, but for the columns of when and how long a round ran."""
    run = subprocess.run(
        _words(case, config, str(TIDY / "verdicts.csv")), cwd=case.folder, capture_output=True, text=True
    )
    if run.returncode:
        raise UserError(f"the tables can't be made: {run.stderr.strip()[-400:]}")
    found = {}
    for file in sorted((case.folder / TIDY).glob("*.csv*")):
        found[file.name] = file.read_bytes()
        if file.name == "rounds.csv":
            found[file.name] = _timeless(file.read_text())
    return found


def _timeless(text: str) -> bytes:
    rows = list(csv.DictReader(io.StringIO(text)))
    return repr([{key: value for key, value in row.items() if key not in TIMES} for row in rows]).encode()
