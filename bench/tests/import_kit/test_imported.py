"""What a kit sent back is imported as it was measured: strict, only if somebody signed it who may."""

import shutil
from dataclasses import replace

import pytest

from bench.tests import kit_results
from bench.tests.kit_results import import_refusal, pack, planned_run
from jcarerun.bundle import sealed, verify
from jcarerun.errors import UserError
from jcarerun.kit import import_kit
from jcarerun.plan import selection
from jcarerun.rounds import manifest
from jcarerun.run import verified


def test_a_directory_is_imported_with_stamps(current, back, rounds):
    assert "2 rounds of kit-0123456789ab; 0 were" in import_kit.import_rounds(current, back)
    for folder in rounds:
        target = current.folders.raw / folder.relative_to(back)
        assert manifest.stamp_of(target).read_text().startswith(manifest.verify(target))
    assert len(current.imported()) == 2


def test_so_is_a_round_with_forks_that_were_run_again(current, rounds, tmp_path):
    for round_ in current.kit_rounds():
        kit_results.make(tmp_path / "again", round_, current.registry, again=(2,))
    assert "2 rounds" in import_kit.import_rounds(current, tmp_path / "again")


def test_so_is_a_zip_and_the_same_again_is_fine(current, back, tmp_path):
    file = pack(back, tmp_path / "back.zip")
    import_kit.import_rounds(current, file)
    assert "0 rounds of kit-0123456789ab; 2 were" in import_kit.import_rounds(current, file)


def test_the_kits_own_directory_will_do(current, back, tmp_path):
    whole = tmp_path / "kit"
    whole.mkdir()
    shutil.move(back, whole / "results")
    (whole / "kit.sha256").write_text("")
    (whole / "run.sh").write_text("")
    assert "2 rounds" in import_kit.import_rounds(current, whole)


def test_another_result_of_the_same_round_overwrites_nothing(current, back, rounds):
    import_kit.import_rounds(current, back)
    (rounds[0] / "console.log").write_text("another\n")
    kit_results.seal(rounds[0])
    with pytest.raises(UserError, match="is there already, and is another result"):
        import_kit.import_rounds(current, back)
    assert "another" not in (current.folders.raw / rounds[0].relative_to(back) / "console.log").read_text()


def test_a_run_reports_on_them_as_another_machine(current, back, registry, tmp_path):
    import_kit.import_rounds(current, back)
    entry = next(e for e in current.definitions()["environments"] if e["id"] == kit_results.ENVIRONMENT)
    assert entry["label"] == "Windows 11 (10.0), Temurin 17.0.9+9 (kit)"
    assert (entry["platform"], entry["jdk_id"], entry["java"]) == ("windows", "17.0.9+9", 17)
    assert [path for path in current.round_paths() if kit_results.ENVIRONMENT in path] == current.imported()
    assert any(kit_results.ENVIRONMENT in stamp for stamp in current.imported_stamps())
    other = planned_run(registry, seed=2, results=str(tmp_path))
    assert other.imported() == []
    assert len(other.left_out()) == 2


def test_a_round_that_was_changed_after_it_was_taken_in(current, back, rounds, registry, tmp_path):
    import_kit.import_rounds(current, back)
    target = current.folders.raw / rounds[0].relative_to(back)
    (target / "console.log").write_text("changed\n")
    kit_results.seal(target)
    with pytest.raises(UserError, match=r"manifest.sha256: differs from .*\.done, so the round was changed"):
        verified.verify(planned_run(registry, results=str(tmp_path)))


def test_the_default_profile_is_the_machines_own(current):
    assert {cell.cpu_profile for round_ in current.kit_rounds() for cell in round_.cells} == set(selection.KIT_PROFILES)


@pytest.fixture
def packed(rounds, back, tmp_path):
    return pack(back, tmp_path / "jca-rerun-results-kit.zip")


def asking(current, strict=True, signers=None):
    """A run that takes only what one of the signers signed; strict, which refuses what nobody signed."""
    return replace(current, settings=replace(current.settings, strict=strict, signers=signers))


def test_strict_asks_who_may_sign_and_refuses_what_nobody_signed(current, packed, keys):
    assert "strict=true: what nobody signed is refused" in import_refusal(asking(current), packed)
    assert f"{packed}.sig: there is no such file" in import_refusal(asking(current, signers=keys[2]), packed)


@pytest.mark.parametrize("strict", [True, False])
def test_what_a_stranger_signed_is_refused_strict_or_not(current, packed, keys, strict):
    sealed.sign(packed, keys[1])
    assert "is by none of the signers" in import_refusal(asking(current, strict, keys[2]), packed)


def test_what_a_signer_signed_is_taken_and_it_is_said_by_whom(current, packed, keys, capsys):
    sealed.sign(packed, keys[0])
    assert verify.verify(packed, verify.Options("host", signers=keys[2], strict=True))
    assert "signed by maintainers@example.org" in capsys.readouterr().out
    said = import_kit.import_rounds(asking(current, signers=keys[2]), packed)
    assert said.startswith("imported: 2 rounds") and "signed by maintainers@example.org" in said


def test_a_signature_holds_for_the_directory_too(current, packed, back, keys):
    sealed.sign(packed, keys[0]).rename(sealed.signature_of(back))
    said = import_kit.import_rounds(asking(current, signers=keys[2]), back)
    assert "signed by maintainers@example.org" in said


@pytest.mark.parametrize(
    ("anew", "words"),
    [(True, "is no signature of this archive's manifest"), (False, "console.log: differs from the manifest")],
)
def test_what_was_changed_after_it_was_signed_is_refused(current, packed, rounds, back, keys, anew, words):
    """Whether or not its manifest was made anew."""
    sealed.sign(packed, keys[0])
    (rounds[0] / "console.log").write_text("another console")
    if anew:
        kit_results.seal(rounds[0])
    pack(back, packed)
    assert words in import_refusal(asking(current, signers=keys[2]), packed)


def test_a_round_that_was_added_after_it_was_signed_is_refused(current, packed, rounds, back, keys):
    shutil.rmtree(rounds[1])
    few = pack(back, packed.with_name("few.zip"))
    sealed.sign(few, keys[0]).rename(sealed.signature_of(packed))
    said = import_refusal(asking(current, signers=keys[2]), packed)
    assert "is no signature of this archive's manifest" in said
