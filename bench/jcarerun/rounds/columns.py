"""The columns of a round's tables and what each holds; data/README.md says what they mean."""

import re

from jcarerun.rounds import compilation
from jcarerun.rounds.table import COUNT, COUNT_OR_EMPTY, DECIMAL, WHOLE, WHOLE_OR_EMPTY, one_of, text

# What a cell's `mode` is to JMH.
MODES = {"average-time": "avgt", "single-shot": "ss"}

_ID = text(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", "an id")

CELLS = {
    "fork": COUNT, "cell": text(r"[a-z0-9][a-z0-9.:-]{0,299}", "a cell's id"), "workload": _ID,
    "benchmark": text(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+", "a benchmark method"), "protocol": _ID,
    "provider": _ID, "cpu_profile": _ID, "mode": one_of(*MODES), "warmup": text("steady-state|[0-9]{1,9}", "a warm-up"),
    "iterations": COUNT, "iteration_ms": DECIMAL,
}  # fmt: skip
FACTOR = re.compile(r"factor\.[a-z0-9][a-z0-9-]*")

ITERATIONS = {
    "fork": COUNT, "iteration": COUNT, "start_epoch_ms": WHOLE, "start_uptime_ms": DECIMAL, "end_uptime_ms": DECIMAL,
    "duration_ns": COUNT, "operations": COUNT, "all_operations": COUNT, "worker_cpu_ns": WHOLE_OR_EMPTY,
    "process_user_ns": WHOLE_OR_EMPTY, "process_system_ns": WHOLE_OR_EMPTY, "involuntary_switches": WHOLE_OR_EMPTY,
    "gc_ms": WHOLE_OR_EMPTY,
}  # fmt: skip

# Missing in rounds that were measured before it was recorded.
ITERATIONS_LATER = {"jit_ms": WHOLE_OR_EMPTY}

GATES = ("steal_share", "others_share", "throttled", "involuntary_per_s", "gc_share", "spin_ratio")
INTERFERENCE = {
    "fork": COUNT, "elapsed_ms": WHOLE, "window_ms": DECIMAL, "steal_ms": WHOLE_OR_EMPTY, "others_ms": WHOLE_OR_EMPTY,
    "cpu_ms": WHOLE_OR_EMPTY, "throttled": WHOLE_OR_EMPTY, "spin_before_ns": COUNT, "spin_after_ns": COUNT,
    "spin_reference_ns": COUNT, "involuntary_switches": WHOLE_OR_EMPTY, "gc_ms": WHOLE_OR_EMPTY,
    "broken": text(rf"(?:(?:{'|'.join(GATES)})(?:;(?!$)|$))*", "names of gates"),
    "rerun_as": COUNT_OR_EMPTY, "rerun_of": COUNT_OR_EMPTY,
}  # fmt: skip

# Whether a fork ran, by what was found: offered; not offered; a wrong result; another result than the other providers'.
RAN = {"yes": True, "no": False, "wrong": False, "differs": False}
OFFERED = {
    "fork": COUNT,
    "offered": one_of(*RAN),
    "why": text(r"[^\x00-\x1f\x7f]{0,2000}", "a line"),
    "answer": text("(?:[0-9a-f]{64})?", "a SHA-256, or nothing"),
}

OBSERVATIONS = {
    "fork": COUNT,
    "iteration": COUNT,
    "measure": text(r"[a-z0-9][a-z0-9.-]{0,99}", "a measure's name"),
    "value": text(r"-?[0-9]{1,18}(?:\.[0-9]{1,9})?|[0-9]{1,18}(?:;[0-9]{1,18})+", "a number, or counts"),
}

_METHOD = text(r"[^\x00-\x20,;]{1,1000}::[^\x00-\x20,;]{1,500}", "a method")
_METHOD_OR_EMPTY = text(r"(?:[^\x00-\x20,;]{1,1000}::[^\x00-\x20,;]{1,500})?", "a method, or nothing")
CHAIN = {
    "fork": COUNT, "depth": WHOLE, "method": _METHOD, "share": text(r"0(?:\.[0-9]{1,4})?|1(?:\.0)?", "a share"),
    "state": one_of(
        compilation.C2, compilation.C1, compilation.INTERPRETED, compilation.TRIVIAL, compilation.INLINED,
        compilation.INTRINSIC, compilation.NATIVE,
    ),
    "within": _METHOD_OR_EMPTY, "since_ms": WHOLE_OR_EMPTY,
}  # fmt: skip
COMPILATIONS = {
    "fork": COUNT,
    "uptime_ms": WHOLE,
    "method": _METHOD,
    "tier": WHOLE,
    "event": one_of("compiled", "ready", "discarded"),
}
