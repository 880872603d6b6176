"""What this machine can give and what that means for the results: pure, from facts that facts.py collects.

In: facts. Out: rows of (level, check, found, meaning). With a row of level BAD nothing can be measured; it says the remedy.
"""

from textwrap import wrap

from jcarerun.doctor import machine
from jcarerun.doctor.machine import BAD, NOTE, OK, Check, in_words

ENGINES = ("docker", "podman")
MEMORY_MIB, SPARE_MIB, DISK_MIB = 2048, 512, 8192


def _engine(facts: dict, name: str, chosen: str) -> Check:
    engine, title = facts["engines"][name], f"engine {name}"
    lacking = BAD if name == chosen else NOTE
    if not engine["installed"]:
        return Check(lacking, title, "not installed", f"make setup ENGINE={name} installs it; ENGINE=host needs none")
    if engine["version"] is None:
        remedy = f"does not answer; make setup ENGINE={name} starts it, or choose ENGINE=host"
        return Check(lacking, title, engine["words"] or "no answer", remedy)
    missing = [what for what, there in (("CPUs", engine["cpuset"]), ("memory", engine["memory"])) if not there]
    if missing:
        return Check(
            lacking,
            title,
            engine["version"],
            f"does not enforce limits of {' and '.join(missing)} here, so a round would be refused; run it as root, or on cgroup "
            "v2 with the controllers delegated",
        )
    return Check(OK, title, engine["version"], "isolated rounds, with CPUs and memory as asked")


def _host_engine(facts: dict, chosen: str) -> Check:
    tools = facts["tools"]
    missing = [name for name in ("java", "Rscript") if tools[name] is None]
    level = OK if not missing else BAD if chosen == "host" else NOTE
    meaning = (
        "not there: make setup ENGINE=host says what to install"
        if missing
        else "rounds without isolation on the machine's own JDK; the report says so"
    )
    return Check(level, "engine host", f"java {tools['java'] or '-'}; R {tools['Rscript'] or '-'}", meaning)


def _set_up(facts: dict) -> Check:
    lacking = facts["lacking"]
    if lacking is None:
        return Check(OK, "set-up", "nothing is lacking", "make setup gets what is missing, without asking anybody")
    return Check(BAD, "set-up", lacking.partition(";")[0], "make setup prints one line to hand to an administrator")


def _resources(facts: dict) -> list[Check]:
    cpus, memory, disk = facts["cpus"], facts["memory_mib"], facts["disk_mib"]
    wanted = MEMORY_MIB + SPARE_MIB
    return [
        Check(
            OK if len(cpus) > 2 else NOTE, "CPUs", f"{len(cpus)} usable ({', '.join(map(str, cpus[:8]))})",
            "two for the forks, the rest for everything else" if len(cpus) > 2
            else "the forks share theirs with the system: wider intervals" if len(cpus) == 2
            else "one alone: no core2 profile, and the JVM's own threads disturb what is timed",
        ),
        Check(
            NOTE if memory is None else OK if memory >= wanted else BAD, "memory", f"{in_words(memory)} MiB available",
            "enough" if memory and memory >= wanted else f"{wanted} MiB are needed: close programs, or add memory",
        ),
        Check(
            OK if disk >= DISK_MIB else BAD, "disk", f"{disk} MiB free",
            "enough" if disk >= DISK_MIB else f"{DISK_MIB} MiB are needed for the images: make room",
        ),
    ]  # fmt: skip


def _network(facts: dict) -> list[Check]:
    what = {
        "pip": ("package index", "JDK wheels and Python packages can be fetched"),
        "apt": ("Debian archive", "images can be built"),
        "maven": ("Maven repository", "the jar can be built and providers fetched"),
    }
    rows = []
    for key, (name, use) in what.items():
        found = facts["network"][key]
        words = "answers" if found is None else found
        meaning = use if found is None else f"not now; what is built or cached goes on working ({use} when it answers)"
        rows.append(Check(OK if found is None else NOTE, name, words, meaning))
    return rows


def checks(facts: dict, engine: str) -> list[Check]:
    """Every row, for a run with that engine."""
    expected = facts["expected"]
    return [
        *(_engine(facts, name, engine) for name in ENGINES),
        _host_engine(facts, engine),
        _set_up(facts),
        *_resources(facts),
        *machine.machine(facts),
        *machine.now(facts),
        *_network(facts),
        Check(
            OK if expected else NOTE,
            "time to expect",
            expected or "not known",
            "for the tier that was asked about" if expected else "after make setup, snakemake -n says it",
        ),
    ]


def table(rows: list[Check], width: int = 100) -> str:
    """The rows as text; long meanings go on below."""
    name_width = max(len(row.name) for row in rows)
    lines = []
    for row in rows:
        head = f"{row.level:<4}  {row.name:<{name_width}}  "
        body = wrap(f"{row.found}: {row.meaning}", max(width - len(head), 30))
        lines += [head + body[0], *(" " * len(head) + more for more in body[1:])]
    return "\n".join(lines)


def verdict(rows: list[Check], engine: str) -> tuple[str, int]:
    """The last line, and the exit status: 0 when measuring is possible."""
    bad = [row.name for row in rows if row.level == BAD]
    if bad:
        return f"not possible with ENGINE={engine} until this is put right: {', '.join(bad)}", 1
    notes = sum(row.level == NOTE for row in rows)
    return f"measuring is possible with ENGINE={engine}; {notes} things to know above", 0
