"""offered.csv: the forks that did not run are known, and a damaged file is refused."""

import pytest

from bench.plan import workloads
from bench.rounds import offers
from envs.support.errors import UserError

CELLS = ("a", "b", "c", "d")


def write(folder, text):
    (folder / offers.NAME).write_text(text)


def test_a_round_without_the_file_ran_every_fork(tmp_path):
    assert [fork for fork, _ in offers.measured(tmp_path, CELLS)] == [1, 2, 3, 4]


def test_what_is_not_offered_wrong_or_different_did_not_run(tmp_path):
    write(tmp_path, 'fork,offered,why,answer\n1,yes,"",ab\n2,no,"No, it lacks it",\n3,wrong,"x",\n4,differs,"y",cd\n')
    assert list(offers.measured(tmp_path, CELLS)) == [(1, "a")]


@pytest.mark.parametrize(
    "text",
    ["fork,offered\n1,yes\n", 'fork,offered,why,answer\n1,perhaps,"",\n', 'fork,offered,why,answer\nx,yes,"",\n'],
)
def test_a_damaged_file_is_refused(tmp_path, text):
    write(tmp_path, text)
    with pytest.raises(UserError, match="expected"):
        offers.read(tmp_path)


def test_workloads_say_whether_they_compare_providers():
    assert workloads.compares_providers("SecretKeyCipher.encrypt")
    assert workloads.compares_providers("jcarerun.workload.KeySetup.init")
    assert not workloads.compares_providers("FileCipher.encrypt")
