"""Holds the native programs against the libraries' own speed commands, interleaved: `python -m jcarerun.native.cross_check`.

In: a system's programs and its toolchain image, which has the commands. Out: a table; exit status 1 where a ratio is off by more
than 5 %. It measures: nothing else may run on the machine.
"""

import argparse
import re
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.images import catalogue, image
from jcarerun.native import build
from jcarerun.support import engine as engines

WITHIN = 0.05

# Operations of which each library has a speed command: on so many bytes.
BYTES = 16384
MIB = 1 << 20
AES = ("--operation", "encrypt", "--transformation", "AES/CBC/PKCS5Padding", "--bits", "128")
SHA256 = ("--operation", "digest", "--algorithm", "SHA-256")
HMAC = ("--operation", "hmac", "--algorithm", "HmacSHA256", "--bits", "128")
DES3 = ("--operation", "encrypt", "--transformation", "DESede/CBC/PKCS5Padding", "--bits", "168")
BLOWFISH = ("--operation", "encrypt", "--transformation", "Blowfish/ECB/NoPadding", "--bits", "128")


@dataclass(frozen=True)
class Pair:
    """One operation: our program's options, a speed command's words, and the pattern of its speed, in `unit` bytes a second."""

    library: str
    name: str
    ours: tuple[str, ...]
    words: tuple[str, ...]
    pattern: str
    unit: int = MIB

    def command(self, seconds: float) -> list[str]:
        """The speed command for that many seconds; OpenSSL's takes at least one, and only whole ones."""
        times = {"s": f"{seconds:g}", "whole_s": max(1, round(seconds)), "ms": round(1000 * seconds)}
        return [word.format(**times) for word in self.words]

    def read(self, said: str) -> float | None:
        """What the command printed, in ns per operation; None where it has no line for the operation."""
        match = re.search(self.pattern, said, re.MULTILINE)
        return BYTES * 1e9 / (float(match[1]) * self.unit) if match else None


def _openssl(name: str, ours: tuple[str, ...], *which: str) -> Pair:
    """`-mr` prints `+F:number:name:bytes per second`."""
    words = ("openssl", "speed", "-mr", "-elapsed", "-seconds", "{whole_s}", "-bytes", str(BYTES), *which)
    return Pair("openssl", name, ours, words, r"^\+F:\d+:[^:]+:([\d.]+)$", unit=1)


def _botan(name: str, ours: tuple[str, ...], which: str, start: str) -> Pair:
    """It prints `name [provider] encrypt buffer size 16384 bytes: 663.054 MiB/sec ...`."""
    words = ("botan", "speed", "--msec={ms}", f"--buf-size={BYTES}", which)
    return Pair("botan", name, ours, words, rf"^{re.escape(start)}\b.*bytes: ([\d.]+) MiB/sec")


def _cryptopp(name: str, ours: tuple[str, ...], part: str, row: str) -> Pair:
    """It prints a table in HTML: name, provider, MiB per second, ...; it can't be asked for one operation alone."""
    words = ("cryptest", part, "{s}", "1")
    return Pair("cryptopp", name, ours, words, rf"<TD>{re.escape(row)}<TD>[^<]*<TD>([\d.]+)<TD>")


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


def _run(engine: str, image_id: str, folder: Path, cpuset: str, argv: list[str]) -> str:
    mounts = {str(folder): "/native"}
    options = engines.isolation(engine, build.TARGET, mounts, cpuset, "2048m")
    command = engines.measuring_command(engine, image_id, engines.container_name(), options, argv)
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode != 0:
        raise UserError(f"{' '.join(argv)}: failed (status {run.returncode}): {run.stderr.strip()[-200:]}")
    return run.stdout


def _ours(pair: Pair, seconds: float) -> list[str]:
    """Our program, with the key set before, as the speed commands do; the first half of its iterations is warm-up."""
    milliseconds = str(max(1, round(100 * seconds)))
    return [
        f"/native/jca-native-{pair.library}", *pair.ours, "--bytes", str(BYTES), "--init", "outside", "--iterations", "20",
        "--iteration-ms", milliseconds,
    ]  # fmt: skip


def ours_ns(said: str) -> float:
    """Mean of the second half of the iterations that a program printed, in ns per operation."""
    scores = [float(line.split()[2]) for line in said.splitlines() if line.startswith("iteration ")]
    return statistics.mean(scores[len(scores) // 2 :])


def measure(engine: str, system: str, rounds: int, seconds: float, cpuset: str) -> list[tuple[Pair, float, float]]:
    """Every pair with the medians over the rounds of our time and theirs, in ns per operation of 16 KiB."""
    folder = build.TARGET / system
    if not (folder / "built.json").exists():
        raise UserError(f"{folder}/built.json: not built; run `snakemake --cores 1 -- {folder}/built.json`")
    engines.require(engine)
    environment = catalogue.read().find(f"{catalogue.TOOLCHAIN}{system}")
    image_id = image.ensure(engine, environment, build.JDKS)
    found: dict[Pair, list[tuple[float, float]]] = {pair: [] for pair in PAIRS}
    for _ in range(rounds):
        # Crypto++'s command can't be asked for one operation: what it says of many serves every pair that reads it.
        spoken: dict[tuple[str, ...], str] = {}
        for pair in PAIRS:
            ours = ours_ns(_run(engine, image_id, folder, cpuset, _ours(pair, seconds)))
            command = tuple(pair.command(seconds))
            if command not in spoken:
                spoken[command] = _run(engine, image_id, folder, cpuset, list(command))
            said = spoken[command]
            theirs = pair.read(said)
            if theirs is None:
                raise UserError(
                    f"{' '.join(pair.command(seconds))}: its output has no line for {pair.name}: {said[:200]}"
                )
            found[pair].append((ours, theirs))
    return [(pair, *(statistics.median(side) for side in zip(*rows, strict=True))) for pair, rows in found.items()]


def _show(rows: list[tuple[Pair, float, float]]) -> bool:
    print(f"{'library':10} {'operation':16} {'ours, ns':>12} {'theirs, ns':>12} {'ratio':>7}")
    for pair, ours, theirs in rows:
        off = abs(ours / theirs - 1) > WITHIN
        print(f"{pair.library:10} {pair.name:16} {ours:12.0f} {theirs:12.0f} {ours / theirs:7.3f}{'  off' * off}")
    return all(abs(ours / theirs - 1) <= WITHIN for _, ours, theirs in rows)


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    rows = measure(arguments.engine, arguments.system, arguments.rounds, arguments.seconds, arguments.cpuset)
    sys.exit(0 if _show(rows) else 1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jcarerun.native.cross_check", description="Ours against the speed commands.")
    parser.add_argument("--engine", choices=engines.ENGINES[:2], default="docker")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each command, in a round")
    parser.add_argument("--cpuset", default="0")
    parser.add_argument("system", nargs="?", default="debian-13-native")
    return parser


if __name__ == "__main__":
    entry_point(main, _parser())
