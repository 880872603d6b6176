"""The libraries' own speed commands: how each is asked for an operation on 16 KiB, and its words in ns per operation."""

import re
from collections.abc import Callable
from dataclasses import dataclass

BYTES = 16384
MIB = 1 << 20
AES = ("--operation", "encrypt", "--transformation", "AES/CBC/PKCS5Padding", "--bits", "128")
SHA256 = ("--operation", "digest", "--algorithm", "SHA-256")
HMAC = ("--operation", "hmac", "--algorithm", "HmacSHA256", "--bits", "128")
DES3 = ("--operation", "encrypt", "--transformation", "DESede/CBC/PKCS5Padding", "--bits", "168")
BLOWFISH = ("--operation", "encrypt", "--transformation", "Blowfish/ECB/NoPadding", "--bits", "128")


@dataclass(frozen=True)
class Pair:
    """One operation: our program's options, the speed command for that many seconds, and its words to ns per operation."""

    library: str
    name: str
    ours: tuple[str, ...]
    command: Callable[[float], list[str]]
    read: Callable[[str], float | None]


def _openssl(name: str, ours: tuple[str, ...], *which: str) -> Pair:
    """`-mr` prints `+F:number:name:bytes per second`."""

    def read(said: str) -> float | None:
        match = re.search(r"^\+F:\d+:[^:]+:([\d.]+)$", said, re.MULTILINE)
        return BYTES * 1e9 / float(match[1]) if match else None

    def command(seconds: float) -> list[str]:
        # Whole seconds are the least it can do.
        return [
            "openssl",
            "speed",
            "-mr",
            "-elapsed",
            "-seconds",
            str(max(1, round(seconds))),
            "-bytes",
            str(BYTES),
            *which,
        ]

    return Pair("openssl", name, ours, command, read)


def _botan(name: str, ours: tuple[str, ...], which: str, start: str) -> Pair:
    """It prints `name [provider] encrypt buffer size 16384 bytes: 663.054 MiB/sec ...`."""

    def read(said: str) -> float | None:
        match = re.search(rf"^{re.escape(start)}\b.*bytes: ([\d.]+) MiB/sec", said, re.MULTILINE)
        return BYTES * 1e9 / (float(match[1]) * MIB) if match else None

    return Pair(
        "botan",
        name,
        ours,
        lambda s: ["botan", "speed", f"--msec={round(1000 * s)}", f"--buf-size={BYTES}", which],
        read,
    )


def _cryptopp(name: str, ours: tuple[str, ...], part: str, row: str) -> Pair:
    """It prints a table in HTML: name, provider, MiB per second, ...; it can't be asked for one operation alone."""

    def read(said: str) -> float | None:
        match = re.search(rf"<TD>{re.escape(row)}<TD>[^<]*<TD>([\d.]+)<TD>", said)
        return BYTES * 1e9 / (float(match[1]) * MIB) if match else None

    return Pair("cryptopp", name, ours, lambda seconds: ["cryptest", part, f"{seconds:g}", "1"], read)


PAIRS = (
    _openssl("AES-128/CBC", AES, "-evp", "aes-128-cbc"),
    _openssl("SHA-256", SHA256, "-evp", "sha256"),
    _openssl("Triple-DES/CBC", DES3, "-evp", "des-ede3-cbc"),
    _botan("HMAC-SHA-256", HMAC, "HMAC(SHA-256)", "HMAC(SHA-256)"[:-1]),
    _botan("SHA-256", SHA256, "SHA-256", "SHA-256"),
    _botan("Blowfish", BLOWFISH, "Blowfish", "Blowfish encrypt"),
    _cryptopp("AES-128/CBC", AES, "b2", "AES/CBC (128-bit key)"),
    _cryptopp("SHA-256", SHA256, "b1", "SHA-256"),
    _cryptopp("HMAC-SHA-256", HMAC, "b2", "HMAC(SHA-256) (128-bit key)"),
)
