"""Bundles and kits are signed with an ordinary SSH key, and what a stranger signed, or nobody, is refused."""

import subprocess
from pathlib import Path

import pytest

from bench.tests.bundle.sealing import packed
from bench.tests.mutations import refusal
from jcarerun import cli
from jcarerun.bundle import sealed, verify
from jcarerun.kit import kit
from jcarerun.plan import definitions, selection, settings
from jcarerun.rounds import manifest
from jcarerun.run import container


@pytest.fixture
def archive(tmp_path):
    """A sealed archive with a bundle's names; what it says is not looked at here."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "report.pdf").write_text("a report")
    manifest.write(folder, sealed.BUNDLE, name=sealed.MANIFEST)
    return packed(folder, tmp_path / "bundle.zip")


def signer(archive, signers):
    with sealed.opened(archive) as found:
        return sealed.signer(found.manifest, archive, signers)


def test_who_signed_it_is_said(archive, keys):
    own, _, signers = keys
    assert sealed.sign(archive, own) == archive.with_name("bundle.zip.sig")
    assert signer(archive, signers) == "maintainers@example.org"


def test_a_stranger_is_refused(archive, keys):
    _, other, signers = keys
    sealed.sign(archive, other)
    assert f"is by none of the signers in {signers}" in refusal(lambda: signer(archive, signers))


def test_a_signature_of_another_archive_is_refused(archive, keys, tmp_path):
    own, _, signers = keys
    sealed.sign(archive, own)
    (tmp_path / "bundle/report.pdf").write_text("another report")
    packed(tmp_path / "bundle", archive, seal=True)
    assert "is no signature of this archive's manifest" in refusal(lambda: signer(archive, signers))


def test_a_signature_for_another_purpose_is_refused(archive, keys, tmp_path):
    """An ordinary key signs mails and commits too."""
    own, _, signers = keys
    signers = tmp_path / "signers"
    signers.write_text(f"maintainers@example.org {own.with_suffix('.pub').read_text()}")
    text = (tmp_path / "bundle" / sealed.MANIFEST).read_bytes()
    done = subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-f", own, "-n", "git"], input=text, capture_output=True, check=True
    )
    sealed.signature_of(archive).write_bytes(done.stdout)
    assert "is no signature of this archive's manifest" in refusal(lambda: signer(archive, signers))


def test_what_is_no_signature_is_refused(archive, keys):
    sealed.signature_of(archive).write_text("no signature")
    assert "is by none of the signers" in refusal(lambda: signer(archive, keys[2]))


def test_without_a_signature_a_list_or_a_key_it_is_said(archive, keys, tmp_path):
    own, _, signers = keys
    assert "bundle.zip.sig: there is no such file" in refusal(lambda: signer(archive, signers))
    sealed.sign(archive, own)
    assert "none: there is no such file" in refusal(lambda: signer(archive, tmp_path / "none"))
    assert "none: there is no such key" in refusal(lambda: sealed.sign(archive, tmp_path / "none"))


def test_strict_refuses_what_nobody_signed(archive):
    assert "STRICT=yes: what nobody signed is refused" in refusal(
        lambda: verify.verify(archive, verify.Options("docker", strict=True))
    )


def test_what_is_damaged_is_not_signed(archive, keys, tmp_path):
    (tmp_path / "bundle/report.pdf").write_text("another report")
    packed(tmp_path / "bundle", archive)
    assert "report.pdf: differs from the manifest" in refusal(lambda: sealed.sign(archive, keys[0]))
    assert not sealed.signature_of(archive).exists()


@pytest.fixture
def a_kit(registry, tmp_path, monkeypatch):
    """A kit as it is sent to another machine, but for its jars' bytes."""
    monkeypatch.setattr(container, "JAR", tmp_path / "benchmarks.jar")
    monkeypatch.setattr(container, "JARS", tmp_path)
    monkeypatch.setattr(kit, "FOLDER", tmp_path / "kit")
    for name in ("benchmarks", *registry.providers):
        (tmp_path / f"{name}.jar").write_bytes(name.encode())
    experiments = definitions.read_all(Path("bench/experiments"), ("kofahi2013",), registry)
    chosen = settings.read({"tier": "smoke"})
    return kit.write(selection.kit_rounds(experiments, chosen, registry, selection.KIT_PROFILES), registry)


def test_a_kit_is_signed_and_checked_as_well(a_kit, keys, capsys):
    own, _, signers = keys
    sealed.sign(a_kit, own)
    assert verify.verify(a_kit, verify.Options("docker", signers=signers, strict=True))
    assert f"{a_kit}: signed by maintainers@example.org" in capsys.readouterr().out


def test_the_command_line_signs(archive, keys, capsys):
    arguments = cli.command_line().parser.parse_args(["sign", "--key", str(keys[0]), str(archive)])
    sealed.main(arguments)
    assert capsys.readouterr().out == f"{archive}.sig\n"
