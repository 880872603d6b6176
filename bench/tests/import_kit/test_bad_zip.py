"""A zip that came back damaged, as by a broken download, is refused in one line and nothing of it is imported."""

from hypothesis import given
from hypothesis import strategies as st

from bench.tests import mutations
from bench.tests.import_kit.importing import pack
from jcarerun.kit import import_kit


def test_a_spoilt_zip(current, back, tmp_path):
    whole = pack(back, tmp_path / "whole.zip").read_bytes()
    given_ = tmp_path / "given.zip"

    @mutations.fewer
    @given(st.data())
    def spoil(data):
        content = bytearray(whole)
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(content) - 1))
            put = data.draw(st.binary(max_size=8))
            content[at : at + data.draw(st.integers(0, 8))] = put
        given_.write_bytes(content[: data.draw(st.integers(1, len(content))) if data.draw(st.booleans()) else None])
        mutations.accepted_or_refused(lambda: import_kit.import_rounds(current, given_), given_.name)

    spoil()
