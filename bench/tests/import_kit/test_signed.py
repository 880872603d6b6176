"""Strict, what a kit sent back is taken only if somebody signed it who may; the signature is that of bundles."""

from dataclasses import replace

import pytest

from bench.tests import kit_results, ssh_keys
from bench.tests.kit_results import pack, refusal
from jcarerun.bundle import sealed, verify
from jcarerun.kit import import_kit


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return ssh_keys.make(tmp_path_factory.mktemp("keys"))


@pytest.fixture
def given(rounds, back, tmp_path):
    return pack(back, tmp_path / "jca-rerun-results-kit.zip")


def run(current, **changes):
    return replace(current, settings=replace(current.settings, **changes))


def test_strict_asks_who_may_sign(current, given):
    assert "strict=true: what nobody signed is refused" in refusal(run(current, strict=True), given)


def test_what_nobody_signed_is_refused(current, given, keys):
    assert f"{given}.sig: there is no such file" in refusal(run(current, strict=True, signers=keys[2]), given)


def test_what_a_stranger_signed_is_refused_strict_or_not(current, given, keys):
    sealed.sign(given, keys[1])
    for strict in (True, False):
        assert "is by none of the signers" in refusal(run(current, strict=strict, signers=keys[2]), given)


def test_what_a_signer_signed_is_taken_and_it_is_said_by_whom(current, given, keys, capsys):
    sealed.sign(given, keys[0])
    assert verify.verify(given, verify.Options("host", signers=keys[2], strict=True))
    assert "signed by maintainers@example.org" in capsys.readouterr().out
    said = import_kit.import_rounds(run(current, strict=True, signers=keys[2]), given)
    assert said.startswith("imported: 2 rounds") and "signed by maintainers@example.org" in said


def test_a_signature_holds_for_the_directory_too(current, given, back, keys):
    sealed.sign(given, keys[0]).rename(sealed.signature_of(back))
    said = import_kit.import_rounds(run(current, strict=True, signers=keys[2]), back)
    assert "signed by maintainers@example.org" in said


def test_what_was_sealed_anew_after_it_was_signed_is_refused(current, given, rounds, back, keys):
    sealed.sign(given, keys[0])
    (rounds[0] / "console.log").write_text("another console")
    kit_results.seal(rounds[0])
    pack(back, given)
    said = refusal(run(current, strict=True, signers=keys[2]), given)
    assert "is no signature of this archive's manifest" in said


def test_what_was_changed_after_it_was_signed_is_refused(current, given, rounds, back, keys):
    """The manifests are those that were signed; a file is not the one that its manifest lists."""
    sealed.sign(given, keys[0])
    (rounds[0] / "console.log").write_text("another console")
    pack(back, given)
    assert "console.log: differs from the manifest" in refusal(run(current, strict=True, signers=keys[2]), given)


def test_a_round_that_was_added_after_it_was_signed_is_refused(current, given, rounds, back, keys):
    for file in sorted(rounds[1].rglob("*"), reverse=True):
        file.unlink() if file.is_file() else file.rmdir()
    rounds[1].rmdir()
    few = pack(back, given.with_name("few.zip"))
    sealed.sign(few, keys[0]).rename(sealed.signature_of(given))
    said = refusal(run(current, strict=True, signers=keys[2]), given)
    assert "is no signature of this archive's manifest" in said
