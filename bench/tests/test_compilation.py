"""HotSpot's compilation log, read: real logs of AES-CBC decrypting 1 MB, slow for 2,000 calls and more, and fast after that.

What follows from it: the hot path's tables, and how long a reference fork waited for its compiled code.
"""

import gzip
from collections.abc import Iterable
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.rounds import compilation_log, hot_path

LOGS = Path(__file__).parent / "compilation"
STACK = [
    "jcarerun.workload.BulkCipher::decrypt",
    "javax.crypto.Cipher::doFinal",
    "com.sun.crypto.provider.AESCipher::engineDoFinal",
    "com.sun.crypto.provider.CipherCore::doFinal",
    "com.sun.crypto.provider.CipherCore::fillOutputBuffer",
    "com.sun.crypto.provider.CipherCore::finalNoPadding",
    "com.sun.crypto.provider.FeedbackCipher::decryptFinal",
    "com.sun.crypto.provider.CipherBlockChaining::decrypt",
]
# Uptimes in the middle of each run's slow plateau and after its drop, as its iterations' times tell them.
PLATEAU_MS, FAST_MS = 9_000, 14_500


def chain(jdk: str, ms: float, stack: list[str] = STACK) -> hot_path.Chain:
    with (LOGS / f"{jdk}.log").open(encoding="latin-1") as lines:
        return hot_path.Chain(compilation_log.read(lines), [(20, stack)], STACK[0], ms)


@pytest.mark.parametrize("jdk", ["jdk-8", "jdk-21"])
def test_on_its_plateau_the_chain_is_not_compiled_though_the_loop_inside_is(jdk):
    steps = chain(jdk, PLATEAU_MS, [*STACK, "com.sun.crypto.provider.CipherBlockChaining::implDecrypt"]).steps
    assert steps[0].method == STACK[0] and steps[0].state == compilation_log.C1
    assert steps[-1].state == compilation_log.C2, "the body of the intrinsic is compiled, and slow"


@pytest.mark.parametrize("jdk", ["jdk-8", "jdk-21"])
def test_after_the_drop_every_method_of_the_chain_is_compiled_or_inlined(jdk):
    steps = chain(jdk, FAST_MS).steps
    assert [step.method for step in steps] == STACK
    assert {step.state for step in steps} <= hot_path.SETTLED, [(s.method, s.state) for s in steps]
    assert steps[1].state == compilation_log.INLINED and steps[1].within == STACK[0]


def test_the_drop_is_an_event_on_the_uptime_clock():
    events = [event for event in chain("jdk-21", FAST_MS).events() if event.ms > PLATEAU_MS]
    assert (13492, STACK[0], 4, "compiled") in [(e.ms, e.method, e.tier, e.what) for e in events]
    assert (13500, STACK[0], 4, "ready") in [(e.ms, e.method, e.tier, e.what) for e in events]


def test_code_that_is_not_there_yet_does_not_run():
    begun = chain("jdk-21", 13_495).steps[0]
    assert begun.state == compilation_log.C1, "C2 had begun, and its code had not replaced C1's"


def states(lines: Iterable[str], *stack: str, ms: float = 100) -> list[str]:
    codes = compilation_log.read(lines)
    return [step.state for step in hot_path.Chain(codes, [(5, list(stack))], stack[0], ms).steps]


def test_code_that_was_thrown_away_leaves_the_interpreter():
    lines = (RUN, "  50   1       4       a.B::run (9 bytes)   made not entrant")
    assert states(lines, "a.B::run") == [compilation_log.INTERPRETED]
    assert states(lines, "a.B::run", ms=40) == [compilation_log.C2]


RUN = "  10   1       4       a.B::run (9 bytes)"
GO = "  12   3       3       a.B::go (7 bytes)"
AT = "                              @ 3   "
OVERLOADS = (
    RUN,
    f"{AT}a.B::init (30 bytes)   inline (hot)",
    "                                @ 8   a.B::init (1101 bytes)   hot method too big",
    "                              @ 6   a.B::init (1101 bytes)   hot method too big",
    "  12   3       4       a.B::init (1101 bytes)",
    "                              @ 9   a.B::key (10 bytes)   inline (hot)",
    "  13   4       2       a.B::key (10 bytes)",
)


def with_lambda(how: str) -> tuple[str, ...]:
    return (
        RUN,
        f"{AT}a.B$$Lambda/0x0000000100186288::apply (29 bytes)   {how}",
        "                                @ 25   a.B::lambda$run$2 (33 bytes)   inline (hot)",
        "  12   3       3       a.B::lambda$run$2 (33 bytes)",
    )


ACCESSOR = "jdk.internal.reflect.DirectMethodHandleAccessor::invoke"
HANDLE = "java.lang.invoke.LambdaForm$MH/0x0000000100118000::invoke"
DIRECT = "java.lang.invoke.LambdaForm$DMH/0x00000001000cd400::invokeSpecial"


def by_reflection(caller: str, tier: int, how: str) -> tuple[str, ...]:
    """As JDK 21's serialisation calls HashMap.writeObject, whose own code stays the first compiler's for good."""
    return (
        RUN,
        f"{AT}{caller} (92 bytes)   force inline by annotation",
        f"  11   2       {tier}       {HANDLE} (64 bytes)",
        f"                              @ 59   {DIRECT} (15 bytes)   force inline by annotation",
        f"                                @ 11   a.D::go (28 bytes)   {how}",
        "  12   3       2       a.D::go (28 bytes)",
    )


def receiver(words: str, method: str = "a.B::go") -> tuple[str, ...]:
    """The last that is said of a receiver is what was done with it."""
    return (RUN, f"{AT}{method} (7 bytes)   {words}", GO)


# The log, the stack, and how its methods run.
STATES = {
    "a trivial method of the first compiler": (("  10   1       1       a.B::size (5 bytes)",), "a.B::size", "trivial"),
    "a native method": (("  10   1     n 0       a.B::now (native)   (static)",), "a.B::now", "native"),
    "inlined, though a native wrapper was made meanwhile": (
        (RUN, "  11   2     n 0       java.lang.invoke.MethodHandle::invokeBasic(LLLL)I (native)   ",
         f"{AT}a.B::go (40 bytes)   inline (hot)"),
        "a.B::run a.B::go", "c2 inlined",
    ),
    "the overload that the caller names": (
        (RUN, f"{AT}a.B::go (40 bytes)   hot method too big", "  11   2       4       a.B::go (7 bytes)",
         "  12   3       3       a.B::go (40 bytes)"),
        "a.B::run a.B::go", "c2 c1",
    ),
    "of two overloads the one that calls what follows": (OVERLOADS, "a.B::run a.B::init a.B::key", "c2 c2 inlined"),
    "both overloads": (OVERLOADS, "a.B::run a.B::init a.B::init a.B::key", "c2 inlined c2 inlined"),
    "a lambda, inlined with the class that no stack shows": (
        with_lambda("inline (hot)"), "a.B::run a.B::lambda$run$2", "c2 inlined",
    ),
    "a lambda whose class is called": (
        with_lambda("already compiled into a big method"), "a.B::run a.B::lambda$run$2", "c2 c1",
    ),
    "reflection, inlined into the handle's own code, which no stack shows": (
        by_reflection(ACCESSOR, 4, "inline (hot)"), f"a.B::run {ACCESSOR} a.D::go", "c2 inlined inlined",
    ),
    "reflection by a handle that C2 has not compiled": (
        by_reflection(ACCESSOR, 3, "inline (hot)"), f"a.B::run {ACCESSOR} a.D::go", "c2 inlined c1",
    ),
    "reflection that is called by the handle": (
        by_reflection(ACCESSOR, 4, "already compiled into a big method"), f"a.B::run {ACCESSOR} a.D::go", "c2 inlined c1",
    ),
    "no reflection": (by_reflection("a.C::invoke", 4, "inline (hot)"), "a.B::run a.C::invoke a.D::go", "c2 inlined c1"),
    "a late inline": (
        receiver("failed to inline: virtual call   late inline succeeded (virtual)"), "a.B::run a.B::go", "c2 inlined",
    ),
    "an intrinsic": (receiver("inline (hot)   (intrinsic, predicate)"), "a.B::run a.B::go", "c2 intrinsic"),
    "the second receiver inlined": (
        receiver("failed to inline: too big   callee changed to  a.B::go (7 bytes)   inline (hot)", "a.C::go"),
        "a.B::run a.B::go", "c2 inlined",
    ),
    "a failure after all": (receiver("inline (hot)   failed to inline: low call site frequency"), "a.B::run a.B::go", "c2 c1"),
    "the second receiver not inlined": (
        receiver("inline (hot)   callee changed to  a.B::go (7 bytes)   failed to inline: too big", "a.C::go"),
        "a.B::run a.B::go", "c2 c1",
    ),
    "a second receiver of which the profile alone is told": (
        receiver("inline (hot)   callee changed to  a.B::go (7 bytes)    \\-&gt; TypeProfile (9/9 counts) = a/B", "a.C::go"),
        "a.B::run a.B::go", "c2 c1",
    ),
    "prohibited": (receiver("inlining prohibited by policy"), "a.B::run a.B::go", "c2 c1"),
    "calls of what each thread compiles": (
        ("<writer thread='1'/>", RUN, "<writer thread='2'/>", "  11   2       4       a.B::go (70 bytes)",
         "<writer thread='1'/>", f"{AT}a.B::go (70 bytes)   inline (hot)"),
        "a.B::run a.B::go", "c2 inlined",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "stack", "expected"), STATES.values(), ids=STATES)
def test_how_each_method_of_a_stack_runs(lines, stack, expected):
    assert states(lines, *stack.split()) == expected.split()


def test_what_is_inlined_on_one_path_and_called_on_another_is_both():
    lines = (
        RUN,
        f"{AT}a.B::go (7 bytes)   inline (hot)",
        "                              @ 6   a.B::other (70 bytes)   already compiled into a big method",
        "  12   3       3       a.B::other (70 bytes)",
        "  13   4       3       a.B::go (7 bytes)",
    )
    samples = [(5, ["a.B::run", "a.B::go"]), (5, ["a.B::run", "a.B::other", "a.B::go"])]
    found = hot_path.Chain(compilation_log.read(lines), samples, "a.B::run", 100)
    assert {(s.method, s.state) for s in found.steps} == {
        ("a.B::run", "c2"), ("a.B::go", "inlined"), ("a.B::other", "c1"), ("a.B::go", "c1"),
    }  # fmt: skip


ACCP = "com.amazon.corretto.crypto.provider."
DIGEST = (f"{ACCP}SHA256Spi::engineDigest", f"{ACCP}InputBuffer::doFinal")
BOUNCY = "org.bouncycastle.jcajce.provider.digest.BCMessageDigest::engineDigest"
SHA = "org.bouncycastle.crypto.digests.SHA256Digest::"


@pytest.mark.parametrize(
    ("jdk", "stack"),
    [
        ("jdk-8", (*DIGEST, f"{ACCP}SHA256Spi$$Lambda$38/113695602::apply", f"{ACCP}SHA256Spi::singlePass")),
        ("jdk-17", (*DIGEST, f"{ACCP}SHA256Spi$$Lambda$105/0x00007f4154121d78::apply", f"{ACCP}SHA256Spi::singlePass")),
        ("jdk-25", (BOUNCY, f"{SHA}doFinal", "org.bouncycastle.crypto.digests.GeneralDigest::finish")),
        ("jdk-25", (BOUNCY, f"{SHA}doFinal", f"{SHA}reset")),
    ],
)
def test_what_both_receivers_of_a_call_call_is_inlined_though_its_own_code_is_the_first_compilers(jdk, stack):
    with (LOGS / f"receivers-{jdk}.log").open(encoding="latin-1") as lines:
        assert states(lines, *stack, ms=1e6) == ["c2", *["inlined"] * (len(stack) - 1)]


def test_what_a_receiver_calls_and_is_not_inlined_stays_a_call():
    with (LOGS / "receivers-jdk-25.log").open(encoding="latin-1") as lines:
        text = ("  12   3       3       " + SHA + "processBlock (1519 bytes)", *lines)
    assert states(text, BOUNCY, f"{SHA}doFinal", f"{SHA}processBlock", ms=1e6) == ["c2", "inlined", "c1"]


def test_a_method_in_one_sample_of_a_hundred_is_not_of_the_chain():
    samples = [(99, ["a.B::run"]), (1, ["a.B::run", "a.B::rare"])]
    assert [s.method for s in hot_path.Chain(compilation_log.read([RUN]), samples, "a.B::run", 100).steps] == [
        "a.B::run"
    ]


def round_with(tmp_path: Path, log: bytes, stacks: str, operation_ns: int = 9) -> Path:
    (tmp_path / "jit").mkdir()
    (tmp_path / "jit/001.log.gz").write_bytes(gzip.compress(log))
    (tmp_path / "jit/001.stacks").write_text(stacks)
    (tmp_path / "iterations.csv").write_text(
        f"fork,iteration,end_uptime_ms,duration_ns,operations\n1,1,50.5,9,1\n1,2,100.5,{operation_ns},1\n"
    )
    return tmp_path


def test_a_rounds_tables_have_its_chains_and_their_events(tmp_path):
    folder = round_with(tmp_path, b"  10   1       4       a.B::run (9 bytes)\n", "benchmark\ta.B::run\n60\ta.B::run\n")
    hot_path.write(folder)
    assert (
        folder / "chain.csv"
    ).read_text() == "fork,depth,method,share,state,within,since_ms\n1,0,a.B::run,1.0,c2,,10\n"
    assert (folder / "compilations.csv").read_text() == "fork,uptime_ms,method,tier,event\n1,10,a.B::run,4,compiled\n"


@pytest.mark.parametrize(
    ("operation_ns", "methods"), [(9, ["a.S::run_avgt_jmhStub", "a.B::run"]), (90_000, ["a.B::run"])]
)
def test_the_loop_that_jmh_makes_around_a_benchmark_is_a_step_of_short_operations_alone(
    tmp_path, operation_ns, methods
):
    stub = "a.S::run_avgt_jmhStub"
    log = f"  10   1       4       a.B::run (9 bytes)\n  20   2 %     3       {stub} @ 3 (9 bytes)\n".encode()
    folder = round_with(tmp_path, log, f"benchmark\t{stub}\n60\t{stub};a.B::run\n", operation_ns)
    hot_path.write(folder)
    chain = [line.split(",") for line in (folder / "chain.csv").read_text().splitlines()[1:]]
    assert [step[2] for step in chain] == methods
    assert chain[-1][4] == "c2"
    events = (folder / "compilations.csv").read_text()
    assert (stub in events) == (stub in methods) and "a.B::run" in events


CONSUMED = "50\t{stub};org.openjdk.jmh.infra.Blackhole::consume\n"


@pytest.mark.parametrize("inside", ["", "1\t{stub};a.B$C::run\n", CONSUMED, CONSUMED + "1\t{stub};a.B$C::run\n"])
@pytest.mark.parametrize(("tier", "state"), [(3, "c1"), (4, "c2")])
def test_an_operation_that_is_stopped_in_jmhs_loop_alone_has_its_method_as_its_chain(tmp_path, inside, tier, state):
    stub = "a.jmh_generated.B_C_run_jmhTest::run_avgt_jmhStub"
    log = f"  10   1       {tier}       a.B$C::run (9 bytes)\n  20   2 %     3       {stub} @ 3 (9 bytes)\n".encode()
    folder = round_with(tmp_path, log, f"benchmark\t{stub}\n99\t{stub}\n{inside.format(stub=stub)}", 90_000)
    hot_path.write(folder)
    chain = (folder / "chain.csv").read_text().splitlines()[1:]
    assert [(step.split(",")[2], step.split(",")[4]) for step in chain] == [("a.B$C::run", state)]


def test_a_round_without_logs_has_no_tables(tmp_path):
    (tmp_path / "iterations.csv").write_text("fork,iteration,end_uptime_ms,duration_ns,operations\n1,1,50.5,9,1\n")
    hot_path.write(tmp_path)
    assert not (tmp_path / "chain.csv").exists()


@pytest.mark.parametrize(
    "stacks", ["", "60\ta.B::run\n", "benchmark\ta.B::run\nx\ta.B::run\n", "benchmark\ta.B::run\n3\ta.B::go\n"]
)
def test_stacks_that_are_no_table_are_refused_in_a_line(tmp_path, stacks):
    folder = round_with(tmp_path, b"", stacks)
    with pytest.raises(UserError, match=r"001\.stacks: not a table of stacks"):
        hot_path.write(folder)


def test_a_log_that_unpacks_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(hot_path, "MOST_BYTES", 1000)
    folder = round_with(tmp_path, b"x" * 2000, "benchmark\ta.B::run\n60\ta.B::run\n")
    with pytest.raises(UserError, match="unpacked, which no compilation log"):
        hot_path.write(folder)


@pytest.mark.parametrize(
    "line",
    [
        "1298  774    b  4   " + "::" * 200_000 + "x",
        " @ 21   " + "::" * 200_000,
        "1298  774    b  4   a::b @ 1" + " " * 400_000 + "(x",
        " " * 400_000 + "@",
        "1" * 400_000 + " ",
    ],
    ids=["method", "call", "spaces", "indent", "digits"],
)
def test_a_line_of_any_length_that_hotspot_never_writes_is_passed_over(line):
    """Once such a line of 32 KB took the host 100 seconds; these would take hours."""
    assert len(compilation_log.read(["<writer thread='1'/>", "1298  774    b  4   a::b (1 bytes)", line])) == 1


# A fork of four iterations, from 1 s to 5 s of its JVM's life.
ITERATIONS = (
    "fork,iteration,start_uptime_ms,end_uptime_ms\n1,1,1000,2000\n1,2,2000,3000\n1,3,3000,4000\n1,4,4000,5000\n"
)


@pytest.fixture
def reference_fork(tmp_path):
    """Writes a long fork, and reads how long it waited for its compiled code."""

    def read(state="c2", events=(900, 2500), iterations=ITERATIONS):
        rows = "".join(f"1,{ms},a.B::run,4,ready\n" for ms in events)
        (tmp_path / "iterations.csv").write_text(iterations)
        (tmp_path / "chain.csv").write_text(
            f"fork,depth,method,share,state,within,since_ms\n1,0,a.B::run,1.0,{state},,2500\n"
        )
        (tmp_path / "compilations.csv").write_text(f"fork,uptime_ms,method,tier,event\n{rows}")
        return hot_path.compiled_after_s(tmp_path)

    return read


def test_a_fork_waited_from_its_first_iteration_until_the_last_code_of_its_chain_took_over(reference_fork):
    assert reference_fork() == 1.5
    # What comes after the last iteration is of no time; what came before the first was waited for by nobody.
    assert reference_fork(events=(900, 2500, 5100)) == 1.5
    assert reference_fork(events=(900,)) == 0


@pytest.mark.parametrize("state", ["c1", "interpreted"])
def test_a_fork_that_is_not_compiled_in_the_end_has_no_such_time(reference_fork, state):
    assert reference_fork(state=state) is None


def test_nor_has_one_whose_code_took_over_in_its_last_quarter(reference_fork):
    assert reference_fork(events=(900, 4000)) == 3
    assert reference_fork(events=(900, 4001)) is None


def test_nor_one_of_which_nothing_is_recorded(reference_fork, tmp_path):
    assert hot_path.compiled_after_s(tmp_path / "none") is None
    assert reference_fork(iterations="fork,iteration\n1,1\n") is None
