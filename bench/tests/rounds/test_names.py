"""The names that a round's files may have: all that its runner writes, and no other."""

import pytest

from jcarerun.rounds import tree


@pytest.mark.parametrize(
    "name",
    ["iterations.csv", "jmh/001.json", "jmh/1000.txt", "jmh/017-frozen.txt", "gc/002-server.log", "jit/001.log.gz",
     "jit/001.stacks", "jvm/flags-core2.txt", "jvm/java-core2", "tls/rsa-2048.p12", "observations.csv"],
)  # fmt: skip
def test_of_its_forks(name):
    assert tree.FORKS.file(name)
    assert tree.ROUND.file(name)
    assert tree.KIT.file(f"stegerer2008/kit-0123456789ab/smoke-01234567-01/{name}")


@pytest.mark.parametrize("name", ["audit.json", "round.json", "environment.json", "console.log", tree.MANIFEST])
def test_of_the_hosts_which_forks_may_not_write(name):
    assert tree.ROUND.file(name)
    assert not tree.FORKS.file(name)
    assert not tree.FAILED.file(name)


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../iterations.csv", "/iterations.csv", "jmh/../iterations.csv", "jmh//001.json", "./iterations.csv",
     "iterations.csv\n", "iterations.csv\r", "jmh/001.json\n", "jmh/\u0660\u0660\u0661.json", "jmh\\001.json", "jmh/0001.json",
     "Iterations.csv", "jmh", "notes.txt", ".done", "jvm/flags-../x.txt", "C:iterations.csv"],
)  # fmt: skip
def test_no_other(name):
    for known in (tree.ROUND, tree.FORKS, tree.FAILED):
        assert not known.file(name)
    assert not tree.KIT.file(f"a/b/c/{name}")


@pytest.mark.parametrize(
    "name", ["a/b/iterations.csv", "a/../c/iterations.csv", "a/b/c/d/iterations.csv", "/a/b/c/round.json"]
)
def test_a_kits_files_lie_in_a_round(name):
    assert not tree.KIT.file(name)
