"""The pipeline on three nodes: the run is ended twice, a node dies, the controller is started again; no table shows it."""

import json
import signal
import subprocess

import pytest

from bench.tests import selftest
from bench.tests.selftest import stamps
from envs.tests import checkout as checkouts
from profiles.slurm.tests.one_host import NODES, Cluster, refusal

ROUNDS = 8
# These nodes have no Apptainer, which the profile names.
CONFIG = (*selftest.CONFIG, "engine=docker")
COMMAND = ("snakemake", "--profile", "profiles/slurm", "--slurm-init-seconds-before-status-checks", "5")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if why := refusal():
        pytest.fail(why, pytrace=False)
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout whose self-test has more rounds than there are nodes."""
    made = checkouts.make(tmp_path_factory.mktemp("checkout") / "checkout")
    file = made.path / "bench/tests/experiments/selftest.yaml"
    text = file.read_text()
    assert "smoke: {rounds: 2," in text
    file.write_text(text.replace("smoke: {rounds: 2,", f"smoke: {{rounds: {ROUNDS},"))
    return made


@pytest.fixture
def start(checkout, tmp_path):
    """Starts the run, whose words go to a file."""
    begun = []

    def start():
        log = tmp_path / f"run-{len(begun)}.log"
        with log.open("w") as file:
            run = subprocess.Popen(
                [*COMMAND, "--config", *CONFIG], cwd=checkout.path, env=checkout.environment(), stdout=file,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        begun.append(run)
        return run, log

    yield start
    for run in begun:
        if run.poll() is None:
            run.kill()


def parts(checkout, node):
    """The rounds that a node is making."""
    return [path for path in (checkout.path / "data/raw").glob(f"*/*/.part-*@{node}") if (path / "inside").is_dir()]


def containers(checkout):
    """Ids of the containers of this checkout's nodes, dead ones too."""
    code = "from jcarerun.support.engine import project_label; print(project_label())"
    labels = [checkout.run("python", "-c", code, SLURMD_NODENAME=name).stdout.strip() for name in ("", *NODES)]
    return [
        id
        for label in labels
        for id in checkout.run("docker", "ps", "-aq", "--filter", f"label={label}").stdout.split()
    ]


def tables(checkout):
    """Every tidy table, to the byte."""
    return {path.name: path.read_bytes() for path in (checkout.path / "data/tidy").iterdir()}


def test_whatever_ends_in_a_run_it_goes_on_to_the_tables_of_one_machine(cluster, checkout, start):
    run, _ = start()
    cluster.wait(lambda: checkout.rounds(), 180)
    run.send_signal(signal.SIGTERM)
    run.wait(60)
    assert run.returncode != 0
    cluster.wait(lambda: not cluster.jobs())
    kept = checkout.rounds()
    assert 1 <= len(kept) < ROUNDS

    run, _ = start()
    cluster.wait(lambda: parts(checkout, "n2"), 120)
    run.kill()
    run.wait()

    run, log = start()
    cluster.wait(lambda: parts(checkout, "n1"), 120)
    lost = parts(checkout, "n1")[0]
    cluster.kill("n1")
    cluster.restart_controller()
    assert run.wait(600) == 0, log.read_text()[-3000:]
    assert "Restarts=1" in cluster.ask("scontrol", "show", "job")
    assert set(kept) < set(checkout.rounds()) and len(checkout.rounds()) == ROUNDS
    assert not list((checkout.path / "data/raw").glob("*/*/.part-*")) and not containers(checkout)
    audits = {folder: json.loads((folder / "audit.json").read_text()) for folder in checkout.rounds()}
    assert {one["node"] for one in audits.values()} >= {"n2", "n3"}
    again = lost.name.removeprefix(".part-").partition("@")[0]
    assert [one["node"] for folder, one in audits.items() if folder.name == again] != ["n1"]
    # They are processes of one computer, which may not be counted as three.
    assert len({one["host"]["machine_id"] for one in audits.values()}) == 1

    of_nodes = tables(checkout)
    (checkout.path / "data/tidy").rename(checkout.path / "data/tidy-of-nodes")
    alone = checkout.snakemake(*CONFIG, targets=("data/tidy/verdicts.csv",))
    assert alone.returncode == 0, alone.stderr[-3000:]
    assert len(checkout.rounds()) == ROUNDS
    assert tables(checkout) == of_nodes


def test_rounds_are_dealt_to_the_nodes_that_are_named(cluster, checkout):
    config = (*CONFIG, "seed=2", "nodes=[n3,n2]")
    wanted = stamps(checkout, *config[len(CONFIG) :])[:4]
    run = checkout.run(*COMMAND, "--config", *config, "--", *wanted)
    assert run.returncode == 0, run.stderr[-3000:]
    folders = [(checkout.path / stamp).with_suffix("") for stamp in wanted]
    numbers = {json.loads((folder / "round.json").read_text())["number"]: folder for folder in folders}
    nodes = [json.loads((numbers[number] / "audit.json").read_text())["node"] for number in sorted(numbers)]
    assert nodes == ["n3", "n2", "n3", "n2"]


def test_each_round_was_asked_a_node_alone(cluster):
    """A partition may leave it to the job."""
    text = subprocess.run(["scontrol", "show", "job"], capture_output=True, text=True).stdout
    jobs = [one for one in text.split("\n\n") if "JobId=" in one]
    assert jobs and all("Requeue=1" in one and "OverSubscribe=NO" in one for one in jobs)
