"""How long a reference fork waited for its compiled code."""

import pytest

from jcarerun.rounds import hot_path

ITERATIONS = (
    "fork,iteration,start_uptime_ms,end_uptime_ms\n1,1,1000,2000\n1,2,2000,3000\n1,3,3000,4000\n1,4,4000,5000\n"
)


@pytest.fixture
def reference_fork(tmp_path):
    """Writes a fork of four iterations, from 1 s to 5 s of its JVM's life, and reads what it waited."""

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
