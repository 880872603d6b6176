"""CPUs and memory: profiles are given what they stand for, and an engine that ignores limits is found out."""

import pytest

from bench.tests.refusals import refused
from jcarerun.errors import UserError
from jcarerun.plan import settings
from jcarerun.run import limits as run_limits

TWO = {"cpuset": "0,1", "memory": 2048}
INSIDE = "cpus_allowed: 0-1\ncgroup: v2\nmemory_limit_bytes: 2147483648\ncpuset: 0-1\n"


@pytest.fixture
def inside(tmp_path):
    """Writes limits.txt and holds it against two CPUs and 2 GB."""

    def check(text, **config):
        (tmp_path / run_limits.FILE).write_text(text)
        chosen = settings.read({**TWO, **config})
        return run_limits.enforced(tmp_path, chosen.engine, chosen.cpuset, chosen.memory)

    return check


def test_what_was_asked_is_there(inside):
    held = inside(INSIDE)
    assert held["enforced"] is True
    assert held["asked"] == {"cpus": [0, 1], "memory_bytes": 2048 << 20}
    assert held["inside"]["cgroup"] == "v2"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("2147483648", "max", "memory 2147483648 bytes asked, max inside"),
        ("2147483648", "9223372036854771712", "9223372036854771712 inside"),
        ("2147483648", "not exposed", "not exposed inside"),
        ("cpus_allowed: 0-1", "cpus_allowed: 0-3", "CPUs 0,1 asked, 0-3 inside"),
        ("cpus_allowed: 0-1\n", "", "CPUs 0,1 asked, not exposed inside"),
    ],
)
def test_what_is_not_enforced_is_refused(inside, old, new, words):
    with refused(words, "engine podman: does not enforce its limits"):
        inside(INSIDE.replace(old, new), engine="podman")


def test_the_host_is_asked_for_nothing(tmp_path):
    (tmp_path / run_limits.FILE).write_text(INSIDE)
    held = run_limits.enforced(tmp_path, "host", "", 2048)
    assert (held["asked"], held["enforced"]) == (None, None)
    assert held["inside"]["cpus_allowed"] == "0-1"


def test_a_runner_that_left_nothing_is_named(tmp_path):
    with pytest.raises(UserError, match=r"limits\.txt: is missing"):
        run_limits.enforced(tmp_path, "docker", "0,1", 2048)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"cpuset": "0-3"}, "--config cpuset=0-3: 4 CPUs, but the CPU profile core2 stands for 2 CPUs"),
        ({"cpuset": "1"}, "1 CPUs"),
        ({"memory": 4096}, "--config memory=4096: 4096 MiB, but the CPU profile core2 stands for 2048 MiB"),
    ],
)
def test_core2_is_given_what_it_stands_for(registry, config, words):
    with refused(words, "cpu_profiles=[native]"):
        settings.read({**TWO, **config}).check_profiles(registry.cpu_profiles.values())
    settings.read({**TWO, **config}).check_profiles([registry.cpu_profiles["native"]])
    settings.read(TWO).check_profiles(registry.cpu_profiles.values())


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"memory": 64000}, "--config memory=64000: this machine has 8000 MiB; give less"),
        ({"cpuset": "0,4"}, "--config cpuset=0,4: this machine has no CPU 4; give some of 0 to 3"),
    ],
)
def test_more_than_the_machine_has(config, words):
    with refused(words):
        settings.read({**TWO, **config}).check_machine(8000, 4)
    settings.read(TWO).check_machine(8000, 4)
    settings.read({"engine": "host", "memory": 64000}).check_machine(8000, 4)


def test_a_profile_that_there_is_none_of(registry):
    with pytest.raises(UserError, match=r"cpu_profiles=\[core\]: .* did you mean 'core2'"):
        settings.read({"cpu_profiles": ["core"]}).check_profile_names(registry.cpu_profiles)
