"""A round of which one file was spoilt is refused in one line, or means what it meant; it never ends in a stack trace."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.tests import mutations
from bench.tests.kit_results import seal
from jcarerun.rounds import manifest, validate

ROUND = next(path.parent for path in sorted(Path("data/sample").glob("*/*/*/round.json")))
FILES = sorted(str(path.relative_to(ROUND)) for path in ROUND.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of a round that was measured."""
    folder = tmp_path_factory.mktemp("raw") / Path(*ROUND.parts[-3:])
    shutil.copytree(ROUND, folder)
    return folder


@st.composite
def spoilt(draw, content):
    """Bytes that a disk or a person spoilt: as a text, cut short, one other, or others altogether."""
    at = draw(st.integers(0, max(len(content) - 1, 0)))
    changed = draw(mutations.text(content.decode("utf-8", "replace"))).encode("utf-8", "surrogatepass")
    return draw(
        st.sampled_from([changed, changed, content[:at], content[:at] + b"\xff" + content[at + 1 :], b"", b"\0" * 99])
    )


@mutations.fewer
@given(st.data())
def test_a_spoilt_file_of_a_round(copied, data):
    """With a manifest that fits, so that nothing but the check itself can tell."""
    name = data.draw(st.sampled_from(FILES))
    file, original = copied / name, (ROUND / name).read_bytes()
    file.write_bytes(data.draw(spoilt(original)))
    try:
        if name != "manifest.sha256":
            seal(copied)
        mutations.accepted_or_refused(lambda: validate.validate_round(copied), copied.name)
    finally:
        file.write_bytes(original)
        shutil.copy(ROUND / "manifest.sha256", copied)


@mutations.few
@given(st.binary(max_size=200))
def test_a_spoilt_stamp(copied, content):
    manifest.stamp_of(copied).write_bytes(content)
    mutations.accepted_or_refused(lambda: validate.verify_round(copied), copied.name)
