"""What providers offer in an environment, as they say themselves: asked in the environment's image, and kept.

In: the jar, the providers' jars, an image that is built. Out: rows of provider, service, algorithm and JCA provider.
"""

import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import image
from jcarerun.images.catalogue import HOST
from jcarerun.plan.providers import Provider
from jcarerun.run.container import JAR, JARS
from jcarerun.support import engine as engines
from jcarerun.support.files import write_file

KEPT = Path("bench/target/algorithms")
# Of the class that asks: another version of it asks again.
CLASS = Path("bench/jmh/src/main/java/jcarerun/AlgorithmList.java")
ERROR = "error"


@dataclass(frozen=True)
class Offer:
    """An algorithm of a provider. service: the JCA's name for its kind. jca: the JCA provider that has it."""

    provider: str
    service: str
    algorithm: str
    jca: str


def offers(engine: str, environment: str, providers: Iterable[Provider]) -> list[Offer]:
    """What providers offer in an environment. A provider that cannot be loaded there offers nothing. Needs jar and image."""
    asked = [each for each in providers if not each.native]
    image_id = "" if engine == engines.HOST or environment == HOST else image.read_record(environment)["image_id"]
    identity = [image_id, CLASS.read_text(), *([each.id, each.sha256] for each in asked)]
    digest = sha256(json.dumps(identity).encode()).hexdigest()[:16]
    file = KEPT / f"{environment}-{digest}.tsv"
    if not file.is_file() or not image_id:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, _ask(engine, image_id, asked))
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    return [Offer(*row) for row in rows if len(row) == 4 and row[1] != ERROR]


def _ask(engine: str, image_id: str, providers: list[Provider]) -> str:
    found = [each.jvm_argument(str(JARS.resolve())) for each in providers]
    argv = [
        "java",
        *filter(None, found),
        "-cp",
        str(JAR.resolve()),
        "jcarerun.AlgorithmList",
        *(p.id for p in providers),
    ]
    run = subprocess.run(
        engines.analysis_command(engine, image_id, argv), capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if run.returncode != 0:
        last = (run.stderr or run.stdout).strip().splitlines() or ["no message"]
        raise UserError(f"the providers could not be asked what they offer: {last[-1]}; run `jca-rerun check-machine`")
    return run.stdout
