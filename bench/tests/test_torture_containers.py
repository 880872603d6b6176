"""A short `jca-rerun trial torture`: two rounds that were really measured are replayed while faults hit what makes them."""

import pytest

pytestmark = pytest.mark.containers


@pytest.fixture(scope="module")
def checkout(selftest_checkout):
    return selftest_checkout


def torture(checkout, *words):
    return checkout.run("python", "-m", "jcarerun.trials.torture", *words)


def test_no_fault_at_any_step_loses_a_round_or_lets_one_in(checkout):
    run = torture(checkout, "--faults", "30", "--runs", "1")
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    page = (checkout.path / "report/results/faults.md").read_text()
    assert "| all | 30 | 30 |" in page
    assert "| all | 1 | 1 |" in page


def test_a_stamp_is_whole_or_not_there(checkout):
    assert torture(checkout, "--only", "round:-3:half").returncode == 0


def test_a_job_that_waited_for_the_same_round_does_not_measure_it_again(checkout):
    assert torture(checkout, "--only", "round:-20:second").returncode == 0


def test_an_engine_that_ends_after_a_round_takes_nothing_from_it(checkout):
    assert torture(checkout, "--only", "round:-20:gone").returncode == 0


def test_a_defect_is_found_and_can_be_repeated(checkout):
    """Stamps written in place, as they once were: a kill in the middle leaves one that fits no round."""
    file = checkout.path / "bench/jcarerun/rounds/stamp.py"
    whole = file.read_text()
    try:
        file.write_text(whole.replace("write_file(of(folder), ", "of(folder).write_text("))
        run = torture(checkout, "--only", "round:-1:half")
    finally:
        file.write_text(whole)
    assert run.returncode == 2
    assert "is not the stamp of its round" in run.stdout
    assert "python -m jcarerun.trials.torture --only round:" in run.stdout
