"""The words of the libraries' speed commands, as ns per operation of 16 KiB."""

import pytest

from jcarerun.native.cross_check import BYTES, PAIRS, ours_ns

SAID = {
    ("openssl", "SHA-256"): "+H:16384\n+F:25:sha256:1638400000.00\n",
    (
        "botan",
        "HMAC-SHA-256",
    ): "HMAC(SHA-256) mac buffer size 16384 bytes: 1562.500 MiB/sec 1.82 cycles/byte (68.19 MiB)\n",
    (
        "botan",
        "Blowfish",
    ): "Blowfish encrypt buffer size 16384 bytes: 1562.500 MiB/sec\nBlowfish decrypt buffer size 16384 bytes: 1 MiB/sec\n",
    ("cryptopp", "AES-128/CBC"): "<TR><TD>AES/CBC (128-bit key)<TD>AESNI<TD>1562.5<TD>1.67<TD>0.078<TD>157\n",
}


@pytest.mark.parametrize(("key", "said"), SAID.items(), ids=str)
def test_words_are_read(key, said):
    pair = next(pair for pair in PAIRS if (pair.library, pair.name) == key)
    assert pair.read(said) == pytest.approx(10000)
    assert pair.read("nothing of it") is None


def test_each_library_has_three_operations():
    assert sorted(pair.library for pair in PAIRS) == sorted(["openssl", "botan", "cryptopp"] * 3)
    assert BYTES == 16384


def test_the_second_half_of_the_iterations_counts():
    assert ours_ns("iteration 1: 90 ns/op\niteration 2: 80 ns/op\niteration 3: 10 ns/op\niteration 4: 20 ns/op\n") == 15
