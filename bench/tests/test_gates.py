"""gates.yaml and settings.tsv read and refused."""

import pytest

from bench.tests.refusals import refused
from jcarerun.plan import settings
from jcarerun.rounds import interference
from jcarerun.rounds.tree import InvalidRound


def test_the_projects_own():
    found = settings.read_gates()
    assert set(found.limits) == {
        "steal_share",
        "others_share",
        "throttled",
        "involuntary_per_s",
        "gc_share",
        "spin_ratio",
    }
    assert "steal_share\t0.05\t50\n" in found.text()
    assert found.text().endswith("\nreruns\t0.2\n")


def test_a_gate_may_be_left_out(changed_yaml):
    found = settings.read_gates(changed_yaml(settings.GATES, lambda data: data["gates"].pop("gc_share")))
    assert "gc_share" not in found.text()


@pytest.mark.parametrize(("forks", "most"), [(1, 1), (5, 1), (6, 2), (18, 4)])
def test_the_cap_is_rounded_up(forks, most):
    assert settings.read_gates().most_reruns(forks) == most


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda data: data["gates"].update(steal_shar={}),
            "gates.steal_shar: unknown key; did you mean 'steal_share'?",
        ),
        (lambda data: data["gates"]["throttled"].pop("limit"), "gates.throttled.limit: missing; write a number of 0"),
        (lambda data: data["gates"]["throttled"].pop("reason"), "gates.throttled.reason: missing"),
        (
            lambda data: data["gates"]["throttled"].update(limit="5 %"),
            "gates.throttled.limit: '5 %' can't be used here",
        ),
        (lambda data: data["gates"]["throttled"].update(limit=-1), "gates.throttled.limit: -1 can't be used here"),
        (lambda data: data["gates"]["throttled"].update(least=-1), "gates.throttled.least: -1 can't be used here"),
        # Nothing is above either of these: the gate would be switched off.
        (
            lambda data: data["gates"]["throttled"].update(limit=float("nan")),
            "gates.throttled.limit: nan can't be used",
        ),
        (
            lambda data: data["gates"]["throttled"].update(limit=float("inf")),
            "gates.throttled.limit: inf can't be used",
        ),
        (lambda data: data["reruns"].update(share=float("nan")), "reruns.share: nan can't be used here"),
        (lambda data: data["reruns"].update(share=2), "reruns.share: 2 can't be used here; write a number from 0 to 1"),
        (lambda data: data.pop("reruns"), "reruns: missing; write {share: 0.2"),
    ],
)
def test_refused(changed_yaml, change, words):
    with refused("gates.yaml: " + words):
        settings.read_gates(changed_yaml(settings.GATES, change))


def test_a_rounds_own_gates_are_read_back(tmp_path):
    (tmp_path / interference.GATES).write_text(settings.read_gates().text())
    assert interference.read_gates(tmp_path) == settings.read_gates()


@pytest.mark.parametrize(
    "text",
    ["", "steal_share\t0.05\t50\n", "steal_share\tnan\t0\nreruns\t0.2\n", "reruns\t0.2\nreruns\t0.2\n", "reruns\t-1\n",
     "no_gate\t1\t1\nreruns\t0.2\n", "reruns\t0.2\r\n"],
)  # fmt: skip
def test_gates_that_are_none(tmp_path, text):
    (tmp_path / interference.GATES).write_text(text)
    with pytest.raises(InvalidRound, match=r"gates\.tsv: "):
        interference.read_gates(tmp_path)
