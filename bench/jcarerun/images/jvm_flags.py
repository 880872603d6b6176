"""Records which flags each JDK's JVM knows, so that a plan knows what an environment lacks before anything is built.

In: images that are built. Out: envs/jvm_flags.json, which is committed: JDK to the names of its flags.
"""

import json
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import catalogue, image
from jcarerun.run.limits import flags
from jcarerun.support import engine as engines
from jcarerun.support.files import write_json

FILE = Path("envs/jvm_flags.json")

# Flags whose presence is recorded: the intrinsics', and the switches above them.
RECORDED = re.compile(r"Use\w+Intrinsics?|Use(AES|SHA|CLMUL|SSE|AVX)")

_OPTION = re.compile(r"-XX:[+-]?(\w+)(=.*)?")


def flag_names(options: Iterable[str]) -> list[str]:
    """The names of HotSpot's flags among some JVM options: `UseAVX` of `-XX:UseAVX=2`."""
    return [match[1] for option in options if (match := _OPTION.fullmatch(option))]


@cache
def recorded() -> dict[str, frozenset[str]]:
    """JDK to its recorded flags; a JDK that was never asked is not among them."""
    return {jdk: frozenset(names) for jdk, names in json.loads(FILE.read_text()).items()}


def record(engine: str) -> None:
    """Ask the JVM of each Linux image that is built, once for a JDK. Raises UserError where one does not answer."""
    known = catalogue.read().environments.values()
    found = json.loads(FILE.read_text()) if FILE.exists() else {}
    built = {
        each.jdk.id: each
        for each in known
        if each.jdk and each.platform == "linux" and image.record_path(each.id).exists()
    }
    for jdk, environment in built.items():
        words = ["java", "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal", "-version"]
        command = engines.analysis_command(engine, image.read_record(environment.id)["image_id"], words)
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise UserError(f"{environment.id}: java -XX:+PrintFlagsFinal failed: {run.stderr.strip()[-200:]}")
        found[jdk] = sorted(name for name in flags(run.stdout) if RECORDED.fullmatch(name))
    write_json(FILE, dict(sorted(found.items())))
    print(f"{FILE}: {len(built)} JDKs asked")
