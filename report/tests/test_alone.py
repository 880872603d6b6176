"""Numbers without an interval, and speeds beside each other: which are their row's."""

import pytest

from jcarerun.agreement.alone import Means

CELLS = "mean_ns,lower_ns,upper_ns\n853000,,\n1400,1300,1500\n"
OBSERVED = (
    "observed_id,mean,lower,upper,geometric_mean,geometric_lower,geometric_upper\no1,0.6086,0.545,0.670,0.6,0.5,0.7\n"
)
RATIOS = "ratio_id,ratio\nr1,1\nr2,1.38\n"


@pytest.fixture
def means(tmp_path):
    for name, text in (("cells", CELLS), ("observed_means", OBSERVED), ("ratios", RATIOS)):
        (tmp_path / f"{name}.csv").write_text(text)
    return Means(tmp_path)


def choice(others):
    return {"operation": "encrypt", "speed": "32.9\u00a0MB/s", "others": others, "ids": "r1 r2"}


@pytest.mark.parametrize(
    "entry",
    [
        {"id": "1", "number": "853 µs \u2013"},
        {"row": "1", "mean": "0.853", "unit": "ms", "interval": "\u2013"},
        {"row": "2", "mean": "1.40", "unit": "µs", "interval": "[1.30, 1.50]"},
        {"id": "o1", "number": "61 %"},
        {"id": "o1", "number": "60.9 % [54.5, 67.0]"},
        choice("~ other 23.8 MB/s"),
    ],
)
def test_what_its_row_says_agrees(means, entry):
    assert list(means.wrong(entry)) == [None]


@pytest.mark.parametrize(
    "entry",
    [
        {"id": "1", "number": "854 µs \u2013"},
        {"id": "1", "number": "853 ms \u2013"},
        {"id": "3", "number": "853 µs \u2013"},
        {"row": "2", "mean": "1.40", "unit": "µs", "interval": "[1.30, 1.51]"},
        {"id": "o1", "number": "62 %"},
        choice("other 22.8 MB/s"),
        choice("none"),
    ],
)
def test_another_number_is_named(means, entry):
    (problem,) = means.wrong(entry)
    assert problem


def test_entries_of_other_rows_are_left_to_their_own_check(means):
    assert list(means.wrong({"id": "v1", "number": "1.2 [1.1, 1.3]"})) == []
    assert list(means.wrong({"row": "2", "wanted": "1", "half": "3"})) == []
