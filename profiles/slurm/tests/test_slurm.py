"""The pipeline on three nodes: the run is ended twice, a node dies, the controller is started again; no table shows it.

The nodes are a cluster on this machine, for root: munge, a controller and three node daemons of its own, by Debian's slurm-wlm
and munge. Its configuration lies in Slurm's default place, where jobs look for it. One that is there already and is no test's is
left alone, and refused. Only what was started here is ended.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from bench.tests import selftest
from bench.tests.selftest import stamps
from envs.tests import checkout as checkouts

CONFIGURATION = Path("/etc/slurm/slurm.conf")
NAME = "jca-rerun-test"
MARK = f"# A cluster of tests ({NAME}); of no use once they have ended.\n"
NODES = ("n1", "n2", "n3")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol")

ROUNDS = 8
# These nodes have no Apptainer, which the profile names.
CONFIG = (*selftest.CONFIG, "engine=docker")
COMMAND = ("snakemake", "--profile", "profiles/slurm", "--slurm-init-seconds-before-status-checks", "5")


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    held = [socket.create_server(("", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def refusal() -> str:
    """Why there can be no such cluster on this machine; empty where there can be."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    if missing := [name for name in PROGRAMS if not shutil.which(name, path=path)]:
        return f"{missing[0]} is missing; as root: apt-get install --no-install-recommends slurm-wlm munge, then make setup"
    if os.getuid() != 0:
        return (
            "must be root, whose jobs alone a cluster without accounts for users can start; run make test-slurm as root"
        )
    if CONFIGURATION.exists() and not CONFIGURATION.read_text(errors="replace").startswith(MARK):
        return f"{CONFIGURATION} is there, and of no test; try this on a machine that belongs to no cluster"
    return ""


class Cluster:
    """Three nodes of this machine's CPUs, whose files are all in `folder`."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.controller_port, *self.ports = free_ports(1 + len(NODES))
        self.daemons: dict[str, psutil.Process] = {}
        for name in ("munge", "state", "log", *(f"spool/{node}" for node in NODES)):
            (folder / name).mkdir(parents=True, mode=0o700)
        (folder / "munge/key").write_bytes(os.urandom(1024))
        (folder / "munge/key").chmod(0o600)

    def configuration(self) -> str:
        """slurm.conf, slurm.conf(5)."""
        here, folder = socket.gethostname(), self.folder
        lines = {
            "ClusterName": NAME, "SlurmctldHost": here, "SlurmctldPort": self.controller_port, "SlurmUser": "root",
            "AuthType": "auth/munge", "AuthInfo": f"socket={folder}/munge/socket,cred_expire=10",
            "StateSaveLocation": f"{folder}/state", "SlurmdSpoolDir": f"{folder}/spool/%n",
            "SlurmctldPidFile": f"{folder}/slurmctld.pid", "SlurmdPidFile": f"{folder}/%n.pid",
            "SlurmctldLogFile": f"{folder}/log/slurmctld", "SlurmdLogFile": f"{folder}/log/%n",
            "ProctrackType": "proctrack/linuxproc", "TaskPlugin": "task/none", "MpiDefault": "none",
            "SelectType": "select/cons_tres", "SelectTypeParameters": "CR_Core", "ReturnToService": 2,
            "SlurmdTimeout": 10, "MinJobAge": 300, "KillWait": 10,
        }  # fmt: skip
        nodes = [
            f"NodeName={node} NodeHostname={here} Port={port} CPUs={os.cpu_count()} RealMemory=4096 State=UNKNOWN"
            for node, port in zip(NODES, self.ports, strict=True)
        ]
        partition = f"PartitionName=all Nodes={','.join(NODES)} Default=YES OverSubscribe=EXCLUSIVE MaxTime=INFINITE"
        return "\n".join([MARK, *(f"{key}={value}" for key, value in lines.items()), *nodes, partition]) + "\n"

    def start(self) -> None:
        """Start all daemons, and wait until the nodes are idle."""
        CONFIGURATION.parent.mkdir(exist_ok=True)
        CONFIGURATION.write_text(self.configuration())
        munge = self.folder / "munge"
        files = {"socket": "socket", "key-file": "key", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        self._daemon(
            "munge", ["munged", "--foreground", "--force", *(f"--{key}={munge / name}" for key, name in files.items())]
        )
        self.wait(lambda: (munge / "socket").exists())
        self.start_controller()
        for node in NODES:
            self._daemon(node, ["slurmd", "-D", "-N", node])
        self.wait(lambda: self.ask("sinfo", "--noheader", "--format=%T") == "idle")

    def start_controller(self) -> None:
        """Start the controller, again perhaps."""
        self._daemon("slurmctld", ["slurmctld", "-D"])
        self.wait(lambda: "UP" in self.ask("scontrol", "ping"))

    def restart_controller(self) -> None:
        """End the controller at once, and start it again."""
        self.daemons["slurmctld"].kill()
        self.daemons["slurmctld"].wait()
        self.start_controller()

    def kill(self, node: str) -> None:
        """End a node as a power cut does: its daemon first, then those that watch its jobs, then these."""
        jobs = [process for process in psutil.process_iter() if self._is_on(process, node)]
        watching = {parent for one in jobs if (parent := one.parent()) and parent.name().startswith("slurmstepd")}
        for process in (self.daemons[node], *watching, *jobs):
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def ask(self, *command: str) -> str:
        """What one of Slurm's commands prints."""
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    def jobs(self) -> list[list[str]]:
        """Number, state and node of each job that waits or runs."""
        return [line.split("|") for line in self.ask("squeue", "--noheader", "--format=%i|%T|%N").splitlines()]

    def wait(self, condition, seconds: float = 60) -> None:
        """Wait for a condition. Raises AssertionError where it does not come about."""
        end = time.monotonic() + seconds
        while not condition():
            logs = [*(self.folder / "log").glob("*")]
            assert time.monotonic() < end, "\n".join(f"{file}: {file.read_text()[-1000:]}" for file in logs)
            time.sleep(0.2)

    def stop(self) -> None:
        """Cancel jobs, end the daemons, and take the configuration away."""
        for number, *_ in self.jobs():
            self.ask("scancel", number)
        with suppress(AssertionError):
            self.wait(lambda: not self.jobs(), 20)
        for daemon in reversed(self.daemons.values()):
            with suppress(psutil.NoSuchProcess):
                daemon.send_signal(signal.SIGTERM)
        psutil.wait_procs(self.daemons.values(), timeout=10)
        CONFIGURATION.unlink()

    def _daemon(self, name: str, command: list[str]) -> None:
        with (self.folder / f"log/{name}.out").open("a") as log:
            path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
            self.daemons[name] = psutil.Popen(command, stdout=log, stderr=log, env={**os.environ, "PATH": path})

    @staticmethod
    def _is_on(process: psutil.Process, node: str) -> bool:
        with suppress(psutil.Error):
            environment = process.environ()
            return environment.get("SLURMD_NODENAME") == node and environment.get("SLURM_CLUSTER_NAME") == NAME
        return False


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
