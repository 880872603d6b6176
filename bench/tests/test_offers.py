"""offered.csv: the forks that did not run are known, and a damaged file is refused."""

import pytest

from jcarerun.plan import workloads
from jcarerun.rounds import forks
from jcarerun.rounds.forks import Fork
from jcarerun.rounds.tree import InvalidRound

PLANNED = {
    number: Fork(number, cell, "x.Y.z", provider, "native", "avgt", 5, 1, {"bits": "128", "provider": provider}, False)
    for number, (cell, provider) in enumerate((("a", "one"), ("b", "two"), ("c", "three"), ("d", "four")), start=1)
}
SUM = "ab" * 32


def write(folder, *rows):
    (folder / forks.OFFERED).write_text("fork,offered,why,answer\n" + "".join(f"{row}\n" for row in rows))


def test_a_round_without_the_file_ran_every_fork(tmp_path):
    assert forks.forks_that_ran(tmp_path, PLANNED) == PLANNED


def test_what_is_not_offered_wrong_or_different_did_not_run(tmp_path):
    write(tmp_path, f'1,yes,"",{SUM}', '2,no,"No, it lacks it",', '3,wrong,"x",', f'4,differs,"y",{"cd" * 32}')
    assert list(forks.forks_that_ran(tmp_path, PLANNED)) == [1]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (['1,perhaps,"",'], "line 2: offered is 'perhaps'"),
        (['x,yes,"",'], "line 2: fork is 'x'"),
        (['1,yes,"",abc'], "line 2: answer is 'abc'"),
        (['9,yes,"",'], "one that cells.csv lacks"),
        (['1,yes,"",', '1,no,"",'], "has a fork twice"),
        ([f'1,yes,"",{SUM}', f'2,yes,"",{"cd" * 32}'], "forks 1 and 2 are both timed and gave different answers"),
        (["1,yes"], "line 2: has 2 fields"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, rows, words):
    write(tmp_path, *rows)
    with pytest.raises(InvalidRound) as caught:
        forks.forks_that_ran(tmp_path, PLANNED)
    assert words in str(caught.value)


def test_workloads_say_whether_they_compare_providers():
    assert workloads.compares_providers("SecretKeyCipher.encrypt")
    assert workloads.compares_providers("jcarerun.workload.KeySetup.init")
    assert not workloads.compares_providers("FileCipher.encrypt")
