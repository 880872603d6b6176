"""Compiles the native programs for a system in its toolchain image: the same bytes from the same sources and packages.

In: src/, the key pairs of the Java side, the built toolchain image.
Out: bench/target/native/<system>/: a program per library, the keys, built.json.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.images import catalogue, image
from jcarerun.support import engine as engines
from jcarerun.support.files import atomic_file, sha256, write_json

HERE = Path("bench/native")
SOURCES, KEYS = HERE / "src", Path("bench/jmh/src/main/resources/jcarerun/keys")
TARGET = Path("bench/target/native")
JDKS = Path("envs/cache/jdks")
LIBRARIES = ("openssl", "botan", "cryptopp")
RECORD = "built.json"

# Botan 3's headers need C++20. No -march: what the compiler may use is the least that the system's own packages are built for.
FLAGS = ("-std=c++20", "-O2", "-Wall", "-Wextra", "-Wno-deprecated-declarations", "-s", "-pthread")


def program(system: str, library: str) -> Path:
    """Where the program of a library lies for a system."""
    return TARGET / system / f"jca-native-{library}"


def place(known: catalogue.Catalogue, environment: str) -> Path | None:
    """Where the programs for an environment's system lie; None where there is no toolchain for it."""
    system = known.find(environment).system
    return TARGET / system if system in known.toolchains else None


def sums(programs: Path) -> dict[str, str]:
    """Library to SHA-256 of its program, as they were compiled. Raises UserError for a directory without its record."""
    record = programs / RECORD
    try:
        return json.loads(record.read_text())["programs"]
    except (OSError, ValueError, LookupError) as error:
        raise UserError(f"{record}: can't be read ({error}); remove {programs} and run again") from None


def digest() -> str:
    """SHA-256 over everything that the programs are made of: other code makes other rounds."""
    parts = [*(Path(name).read_bytes() for name in sources()), " ".join(FLAGS).encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def sources() -> list[str]:
    """Everything that the programs are made of."""
    return sorted(str(path) for path in (*SOURCES.rglob("*.cpp"), *SOURCES.rglob("*.h"), *KEYS.glob("*.pem")))


def _library_flags(library: str, packages: tuple[str, ...]) -> list[str]:
    if library != "botan":
        return ["-lcrypto" if library == "openssl" else "-lcryptopp"]
    major = next(match[1] for package in packages if (match := re.fullmatch(r"libbotan-(\d)-dev", package)))
    return [f"-I/usr/include/botan-{major}", f"-lbotan-{major}"]


def command(library: str, packages: tuple[str, ...], output: Path) -> list[str]:
    """The compiler's command line for one library's program."""
    files = sorted(str(path) for folder in (SOURCES, SOURCES / library) for path in folder.glob("*.cpp"))
    return ["g++", *FLAGS, "-o", str(output), *files, *_library_flags(library, packages)]


def build(engine: str, system: str) -> Path:
    """Compile all programs of a system; return its directory. Raises UserError with the compiler's first error."""
    if engine == engines.HOST:
        raise UserError("engine host: native programs are compiled in a container; choose docker or podman")
    environment = catalogue.read().find(f"{catalogue.TOOLCHAIN}{system}")
    engines.require(engine)
    image_id = image.ensure(engine, environment, JDKS)
    folder, programs = TARGET / system, {}
    folder.mkdir(parents=True, exist_ok=True)
    for library in LIBRARIES:
        target = program(system, library)
        with atomic_file(target) as part:
            argv = engines.analysis_command(
                engine, image_id, command(library, environment.packages, part), writable=[folder]
            )
            run = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if run.returncode != 0:
                lines = [line for line in run.stderr.splitlines() if "error" in line] or [
                    "no message; was it ended from outside?"
                ]
                raise UserError(f"{target}: the compiler failed (status {run.returncode}): {lines[0]}")
        programs[library] = sha256(target)
    shutil.copytree(KEYS, folder / KEYS.name, dirs_exist_ok=True)
    write_json(folder / RECORD, {"system": system, "toolchain": image_id, "programs": programs})
    return folder


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jcarerun.native.build", description="Compiles the native programs for a system."
    )
    parser.add_argument("--engine", choices=engines.ENGINES, default="docker")
    parser.add_argument("system", help="a system under `toolchains` of envs/environments.yaml")
    return parser


if __name__ == "__main__":
    entry_point(lambda arguments: build(arguments.engine, arguments.system), _parser())
