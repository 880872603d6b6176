"""What a bundle says runs nothing and forges nothing, and a bundle names the commit of its code."""

import re
import shlex
import zipfile

import pytest

from jcarerun.bundle import make, repeat, verify
from jcarerun.errors import UserError, say
from jcarerun.plan import settings
from jcarerun.run import run_record


def test_no_manifest_and_no_bundle(tmp_path):
    file = tmp_path / "bundle.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("report.pdf", b"")
    for path, words in ((file, f"{file}/SHA256SUMS: missing"), (tmp_path / "none.zip", "there is no such file")):
        with pytest.raises(UserError, match=re.escape(words)):
            verify.verify(path, verify.Options("docker"))


def test_a_run_that_tells_nonsense_of_itself(tmp_path):
    (tmp_path / "run.json").write_text(
        '{"settings": {}, "kept": {}, "left_out": [], "rounds": [], "reference_forks": []}'
    )
    with pytest.raises(UserError, match=r"run.json: settings: 'tier' is a required property"):
        run_record.read(tmp_path)
    assert run_record.read(tmp_path / "elsewhere") is None


def test_a_command_says_what_is_not_the_default():
    chosen = {
        "tier": "standard", "seed": 7, "minutes": 10, "goal": "verdicts", "engine": "podman", "cpuset": "2", "memory": 2048,
        "strict": True, "cpu_profiles": ["native"],
    }  # fmt: skip
    assert make.command("mine", chosen) == (
        "snakemake --cores all --config 'experiments=[mine]' tier=standard seed=7 minutes=10 goal=verdicts "
        "'cpu_profiles=[native]'"
    )
    hostile = {**chosen, "cpu_profiles": ["$(touch /tmp/x); `id` #"]}
    assert shlex.split(make.command("mine", hostile))[-1] == "cpu_profiles=[$(touch /tmp/x); `id` #]"


@pytest.mark.parametrize("name", ["$(id)", "a b", "a;b", "a\nb", "\x1b[31m", "", "-x", "a,b"])
def test_the_settings_of_a_run_have_plain_names(name):
    with pytest.raises(UserError, match="cpu_profiles"):
        settings.read({"cpu_profiles": [name]})


def test_what_a_bundle_says_forges_no_line_and_no_terminal_code(capsys):
    row = dict.fromkeys((*repeat.PLACE, "image_id", "machine_id"), "x") | {"verdict": "other-size"}
    forged = {**row, "claim": "P1\nall is well\x1b[2K\u202e", "verdict": "holds\r"}
    say(*verify.by_claim([row, forged], [row]), "tables\x07")
    said = capsys.readouterr().out
    assert all(char.isprintable() for char in said.replace("\n", "")) and "all is well" in said
    assert len(said.splitlines()) == 4


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A repository with some code and a commit."""
    monkeypatch.chdir(tmp_path)
    for name in make.CODE:
        if not name.startswith(":"):
            (tmp_path / name / "code.txt").parent.mkdir(parents=True)
            (tmp_path / name / "code.txt").write_text("1\n")
    assert not make.git("init", "--quiet").returncode
    return committed


def committed():
    make.git("add", "--all")
    who = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    assert not make.git(*who, "commit", "--quiet", "--allow-empty", "--message", "all").returncode
    return make.this_commit()


def test_code_that_is_not_committed_is_refused(clone, tmp_path):
    clone()
    (tmp_path / "analysis/new.R").write_text("1\n")
    with pytest.raises(UserError, match=r"analysis/new.R: differs from the commit \(1 such in all\)"):
        make.this_commit()


def test_a_later_commit_with_the_same_code_will_do(clone, tmp_path):
    first = clone()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text("1\n")
    (tmp_path / "report/results/bundle.zip").write_text("1\n")
    assert clone() != first
    make.require_commit(first)


@pytest.mark.parametrize("changed", ["analysis/code.txt", "report/results/today/tables/today.csv/code.txt"])
def test_a_later_commit_with_other_code_or_other_tables_that_reports_show_will_not(clone, tmp_path, changed):
    first = clone()
    (tmp_path / changed).write_text("2\n")
    clone()
    with pytest.raises(UserError, match=f"git checkout {first}, or go on with ANYWAY=yes"):
        make.require_commit(first)


def test_no_repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="a bundle names the commit of its code; work in a clone"):
        make.this_commit()
