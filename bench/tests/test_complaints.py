"""Errors of a file, reported at once."""

import pytest

from jcarerun.errors import MOST_SHOWN, Complaints, UserError


def reported(count):
    complaints = Complaints()
    for number in range(count):
        with complaints.part():
            raise UserError(f"x.yaml: key {number}: is wrong; write another")
    with pytest.raises(UserError) as caught:
        complaints.report()
    return caught.value.texts


def test_all_errors_are_reported_where_they_are_few():
    assert len(reported(MOST_SHOWN)) == MOST_SHOWN


def test_of_many_errors_the_first_are_reported_and_the_others_counted():
    texts = reported(MOST_SHOWN + 5)
    assert len(texts) == MOST_SHOWN + 1
    assert texts[-1] == "x.yaml: 5 more errors; correct these first"


def test_the_same_error_of_several_parts_is_reported_once():
    complaints = Complaints()
    for _ in range(2):
        with complaints.part():
            raise UserError("x.yaml: is wrong")
    with pytest.raises(UserError) as caught:
        complaints.report()
    assert list(caught.value.texts) == ["x.yaml: is wrong"]
