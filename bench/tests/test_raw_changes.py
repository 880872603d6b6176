"""Changes of raw data, one at a time (a few of those of `python -m jcarerun.trials.raw_changes`)."""

from collections import Counter

from jcarerun.rounds import stamp
from jcarerun.trials import raw_changes
from jcarerun.trials.raw_kinds import CONTENT, OTHERS


def test_each_change_is_found_by_name_or_does_not_matter():
    kinds = len(CONTENT) + len(OTHERS)
    found = raw_changes.tried(kinds, seed=7)
    assert [one for one in found if one[2] not in raw_changes.ENDS] == []
    assert Counter(end for _, _, end in found)["found"] == kinds - sum(bool(reason) for _, reason in OTHERS.values())


def test_a_round_that_is_gone_while_its_stamp_stays():
    found = {kind: end for kind, _, end in raw_changes.tried(len(CONTENT) + len(OTHERS), seed=8)}
    assert found["a round removed, its stamp left"] == "found"


def test_a_change_that_nobody_looks_for_would_be_seen(monkeypatch):
    """Without the stamps and manifests half of the changes pass: the trial can fail."""
    monkeypatch.setattr(stamp, "verify", lambda folder, own=True: None)
    found = raw_changes.tried(len(CONTENT), seed=7)
    assert sum(end == "not found" for _, _, end in found) >= len(CONTENT) / 2
