"""The doctor's rows about the machine itself: pure, from facts. `Check` is a row."""

from dataclasses import dataclass

OK, NOTE, BAD = "ok", "note", "BAD"
STEAL_MOST, LOAD_MOST = 0.01, 0.5


@dataclass(frozen=True)
class Check:
    """One row of the doctor's table."""

    level: str
    name: str
    found: str
    meaning: str


def in_words(value: object) -> str:
    """A fact for people; None is what the system doesn't tell."""
    return "not exposed" if value is None else str(value)


def machine(facts: dict) -> list[Check]:
    """What the machine is."""
    host = facts["host"]
    virtual, governor, smt = host["hypervisor"], host["governor"], host["smt"]
    turbo = {("0", None): "on", ("1", None): "off", (None, "1"): "on", (None, "0"): "off"}.get(
        (host["turbo_off"], host["boost"])
    )
    clock, cgroup = host["clock_source"], host["cgroup"]
    return [
        Check(OK, "machine", f"{host['system']} {host['kernel']}, {in_words(host['cpu_model'])}", "recorded in every round"),
        Check(
            NOTE if virtual else OK, "virtual", virtual or "no sign of it",
            "others share the hardware unseen: trust ratios within a block more than times" if virtual
            else "the machine is yours",
        ),
        Check(
            OK, "cgroup", in_words(cgroup),
            "rootless engines enforce limits too" if cgroup == "v2" else "limits need an engine that runs as root",
        ),
        Check(
            OK if governor == "performance" else NOTE, "governor", in_words(governor),
            "clock stays up" if governor == "performance"
            else "the clock rate is not known: drift shows as spread between forks" if governor is None
            else "the clock follows the load: set performance (cpupower frequency-set -g performance)",
        ),
        Check(
            OK if turbo == "off" else NOTE, "turbo", in_words(turbo),
            "steady clock" if turbo == "off" else "the clock depends on heat and neighbours: wider intervals between forks",
        ),
        Check(
            OK if smt == "0" else NOTE, "SMT", {"0": "off", "1": "on"}.get(smt, in_words(smt)),
            "no sibling thread" if smt == "0" else "a sibling thread may share a core with a fork: keep the machine idle",
        ),
        Check(
            OK if clock == "tsc" else NOTE, "clock source", in_words(clock),
            "fast and fine" if clock == "tsc" else "reading it may cost more than a short operation: trust averages only",
        ),
    ]  # fmt: skip


def now(facts: dict) -> list[Check]:
    """How busy it is, and what it lets one see."""
    steal, load, perf = facts["steal"], facts["load"], facts["perf"]
    busy = load is not None and load > LOAD_MOST * max(len(facts["cpus"]), 1)
    return [
        Check(
            NOTE if steal is None or steal > STEAL_MOST else OK, "steal now",
            in_words(None if steal is None else f"{steal:.1%}"),
            "not told: theft by neighbours can't be seen in the data" if steal is None
            else "neighbours take CPU time: measure another time" if steal > STEAL_MOST else "none to speak of",
        ),
        Check(
            NOTE if busy else OK, "load now", in_words(load),
            "something else is running: end it before measuring" if busy else "quiet",
        ),
        Check(
            OK if perf is None else NOTE, "perf counters", "usable" if perf is None else perf,
            "hardware events can be had" if perf is None else "no cycle counts: times only, which is what is reported anyhow",
        ),
    ]  # fmt: skip
