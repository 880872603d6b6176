"""Nodes of a cluster share a checkout's folder: what one does or leaves there is never taken for another's."""

import fcntl
from dataclasses import replace

import pytest

from jcarerun.errors import UserError
from jcarerun.plan import plan, settings
from jcarerun.rounds import audit
from jcarerun.run import round_dir, run_round
from jcarerun.support import engine as engines


@pytest.fixture
def on(monkeypatch):
    """Puts this process on a node; None takes it off the cluster."""

    def on(name):
        monkeypatch.delenv(engines.NODE_VARIABLE, raising=False)
        if name is not None:
            monkeypatch.setenv(engines.NODE_VARIABLE, name)

    return on


def test_a_node_has_a_lock_of_its_own(on, tmp_path):
    on("n1")
    with run_round.timing_lock(tmp_path):
        on("n2")
        with run_round.timing_lock(tmp_path):
            pass
        with (tmp_path / ".timing@n1.lock").open("w") as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_node_removes_its_own_leftovers_alone(on, tmp_path):
    finals = {name: tmp_path / "e/env" / f"smoke-{name or 'here'}" for name in ("n1", "n1-b", "")}
    for name, final in finals.items():
        on(name)
        round_dir.part(final).mkdir(parents=True)
    left = []
    for name in ("n1", "", "n1-b"):
        on(name)
        run_round.sweep(tmp_path, engines.HOST)
        left.append(sorted(path.name for path in tmp_path.glob("*/*/.part-*")))
    assert left == [[".part-smoke-here", ".part-smoke-n1-b@n1-b"], [".part-smoke-n1-b@n1-b"], []]


def test_a_node_ends_its_own_containers_alone(on):
    labels = []
    for name in (None, "n1", "n2"):
        on(name)
        labels.append(engines.project_label())
    assert len(set(labels)) == 3


def made(final, words):
    folder = round_dir.part(final) / "round"
    folder.mkdir(parents=True)
    (folder / "round.json").write_text(words)
    return folder


def test_a_round_that_two_nodes_made_is_there_once(on, tmp_path):
    """Slurm starts the round of a node that it lost on another one; the node may have been alive."""
    final = tmp_path / "e/env/smoke-1"
    on("n1")
    late = made(final, "late")
    on("n2")
    round_dir.put(made(final, "first"), final)
    assert [path.name for path in final.parent.iterdir()] == [final.name]
    on("n1")
    round_dir.put(made(final, "late") if not late.exists() else late, final)
    assert [path.name for path in final.parent.iterdir()] == [final.name]
    assert (final / "round.json").read_text() == "first"


def test_a_round_that_cannot_be_put_in_place_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        round_dir.put(tmp_path / "gone", tmp_path / "final")


@pytest.mark.parametrize("name", ["", "a/../b", "x y", "n[1]"])
def test_a_node_name_is_fit_for_a_path(on, name):
    on(name)
    assert set(engines.node_name()) <= set("abnxy1.-")


@pytest.mark.parametrize("what", ["node", "release"])
def test_a_machine_of_another_name_or_kernel_is_another_machine(monkeypatch, what):
    """Nodes that boot one image share /etc/machine-id; times before and after a kernel's update are not of one machine."""
    before = audit.machine_id()
    assert audit.machine_id() == before
    monkeypatch.setattr(audit.platform, what, lambda: "other")
    assert audit.machine_id() != before


@pytest.mark.parametrize("key", audit.CPU_KEYS)
def test_another_cpu_or_microcode_is_another_machine(monkeypatch, key):
    before, real = audit.machine_id(), audit.Files.field
    monkeypatch.setattr(
        audit.Files, "field", lambda self, path, wanted: "other" if wanted == key else real(self, path, wanted)
    )
    assert audit.machine_id() != before


def numbered(count, rounds, environments=("a", "b")):
    """Rounds of two environments."""
    model = rounds()[0]
    return [
        replace(model, environment=name, number=number, id=f"quick-{number}")
        for name in environments
        for number in range(1, count + 1)
    ]


def test_rounds_of_one_number_are_dealt_to_one_node(rounds):
    nodes = ("n1", "n2", "n3")
    dealt = {(round_.environment, round_.number): plan.node_of(round_, nodes) for round_ in numbered(7, rounds)}
    assert [dealt["a", number] for number in range(1, 8)] == ["n1", "n2", "n3", "n1", "n2", "n3", "n1"]
    assert all(dealt["a", number] == dealt["b", number] for number in range(1, 8))


def test_a_round_has_a_node_alone_dealt_or_not(rounds):
    round_ = numbered(2, rounds)[1]
    assert plan.slurm_options(round_, ()) == "--exclusive"
    assert plan.slurm_options(round_, ("n1", "n2")) == "--exclusive --nodelist=n2"


def test_a_plan_says_where_a_node_has_too_few_rounds(rounds):
    assert plan.node_summary(numbered(5, rounds), ()) == []
    assert len(plan.node_summary(numbered(6, rounds), ("n1", "n2", "n3"))) == 1
    few = plan.node_summary(numbered(5, rounds), ("n1", "n2", "n3"))[1]
    assert "kofahi2013: n3 gets fewer than 2 rounds" in few and "give fewer nodes" in few


@pytest.mark.parametrize("names", [["n1", "n1"], ["n1; id"], ["--wrap=id"], [""], "n 1"])
def test_nodes_that_are_none_are_refused(names):
    with pytest.raises(UserError, match=r"nodes=.*names of nodes"):
        settings.read({"nodes": names})
