"""What code in a measuring container can reach: each thing is tried, as a hostile provider would.

The same script also runs in a container without isolation, where each try must succeed: else it would prove nothing.
"""

import os
import socket
import subprocess
from contextlib import ExitStack

import pytest

from jcarerun.images import image
from jcarerun.support import engine as engines

pytestmark = pytest.mark.containers

MEMORY_MB = 256
LOOPBACK = "127.0.0.1"
# Each line: `try <name> <command>`, which is "reached" where the command succeeds.
SCRIPT = r"""
try() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "$name: reached"; else echo "$name: refused"; fi; }
connect() { timeout 3 bash -c ": < /dev/tcp/$1/PORT"; }
interfaces() { grep -qv -e '|' -e '^ *lo:' /proc/net/dev; }
allocate() { [ "$(head -c 400000000 /dev/zero | tail -c 300000000 | wc -c)" -eq 300000000 ]; }
# A shell that can't fork ends.
many() { sh -c 'i=0; while [ $i -lt 600 ]; do sleep 20 & i=$((i + 1)); done; wait'; }
written() { for each in /etc /usr/bin /bench /opt /var /home /sys /dev; do touch "$each/planted" && return; done; return 1; }
capable() { ! grep -q 'CapBnd:.0000000000000000' /proc/self/status; }
try "another round's files" cat OTHER/round.json
try "a way up from the round's directory" sh -c 'cat /round/../OTHER_NAME/round.json || cat /round/../round.json'
try "the engine's socket" test -S /var/run/docker.sock
try "an environment with secrets" sh -c 'env | grep -q SECRET'
try "a server of this machine" connect 127.0.0.1
try "a server behind the engine's bridge" connect GATEWAY
try "a network interface" interfaces
try "a process of the host" sh -c 'tr "\0" " " < /proc/HOSTPID/cmdline | grep -q "sleep 86399"'
try "a signal to a process of the host" sh -c 'grep -q 86399 /proc/HOSTPID/cmdline && kill -0 HOSTPID'
try "more memory" allocate
try "another CPU" taskset --cpu-list 1 true
try "a file outside of its directory" written
try "the benchmarks' jar" sh -c 'echo >> /bench/benchmarks.jar'
try "another user" setpriv --reuid=0 --clear-groups true
try "capabilities" capable
try "new privileges" grep -q 'NoNewPrivs:.0' /proc/self/status
try "a mount" sh -c 'mkdir -p /tmp/m; mount -t tmpfs none /tmp/m'
try "a namespace of its own" unshare --mount true
try "a device" mknod /tmp/device b 7 0
try "the kernel's settings" sh -c 'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern'
try "its own directory" touch /round/mine
try "more processes" many
"""
OWN = "its own directory"
# What even root of a container is not given by the engine, and by some machines not at all.
RIGHTS = {"a mount", "a namespace of its own", "the kernel's settings"}


@pytest.fixture(scope="module")
def gateway():
    """The machine's address on the engine's bridge; the loopback's where there is no bridge."""
    said = subprocess.run(
        ["docker", "network", "inspect", "bridge", "--format", "{{(index .IPAM.Config 0).Gateway}}"],
        capture_output=True,
        text=True,
    )
    return said.stdout.strip() or LOOPBACK


@pytest.fixture(scope="module")
def listener(gateway):
    """A server on the loopback, and one on the engine's bridge, which no other machine reaches; their port."""
    with ExitStack() as servers:
        server = servers.enter_context(socket.create_server((LOOPBACK, 0)))
        port = server.getsockname()[1]
        if gateway != LOOPBACK:
            servers.enter_context(socket.create_server((gateway, port)))
        yield port


@pytest.fixture(scope="module")
def bystander():
    """A process of the host."""
    process = subprocess.Popen(["sleep", "86399"])
    yield process
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def tries(tmp_path_factory, gateway, listener, bystander):
    """Runs the tries in a container with some options; what each came to."""
    folder = tmp_path_factory.mktemp("raw")
    for name in ("mine", "other"):
        (folder / name).mkdir(mode=0o777)
        (folder / name).chmod(0o777)
    (folder / "other/round.json").write_text("{}")
    jar = folder / "benchmarks.jar"
    jar.write_text("")
    jar.chmod(0o666)
    image_id = image.read_record("debian-12-temurin-17")["image_id"]
    script = SCRIPT
    for word, value in {
        "OTHER_NAME": "other", "OTHER": folder / "other", "PORT": listener, "HOSTPID": bystander.pid,
        "GATEWAY": gateway,
    }.items():  # fmt: skip
        script = script.replace(word, str(value))

    def run(name, options):
        argv = ["bash", "-c", script]
        command = engines.measuring_command(
            "docker", image_id, f"reach-{name}-{os.getpid()}", options(folder, jar), argv
        )
        said = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
        found = dict(line.split(": ") for line in said.stdout.splitlines())
        assert len(found) == SCRIPT.count("\ntry "), said.stderr
        return found

    return run


def isolated(folder, jar):
    return engines.isolation("docker", folder / "mine", {str(jar): "/bench/benchmarks.jar"}, "0", f"{MEMORY_MB}m")


def open_to_all(folder, jar):
    return [
        "--network=host", "--pid=host", "--user=0:0", "--security-opt=seccomp=unconfined", "--env=SECRET=1",
        f"--label={engines.project_label()}",
        "--volume=/var/run/docker.sock:/var/run/docker.sock", f"--volume={folder}:{folder}",
        f"--volume={folder}/mine:/round", f"--volume={folder}/other/round.json:/round.json",
        f"--volume={jar}:/bench/benchmarks.jar",
    ]  # fmt: skip


def test_a_measuring_container_reaches_nothing_but_its_own_directory(tries):
    found = tries("isolated", isolated)
    assert found.pop(OWN) == "reached"
    assert {name for name, end in found.items() if end != "refused"} == set()


def test_each_try_would_succeed_without_isolation(tries):
    found = tries("open", open_to_all)
    unable = RIGHTS | ({"another CPU"} if os.cpu_count() == 1 else set())
    assert {name for name, end in found.items() if end != "reached"} <= unable
