"""Spoilt files that R reads: anybody's JMH results and GC logs (`make summarise`, `compare`, `gc-pauses`), studies' numbers.

Each is taken as far as it goes, with a line for what is not, or refused in one line: never a defect, a warning of R's, or a hang.
"""

import argparse
import json
import select
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.tests import mutations
from jcarerun.images import catalogue, image
from jcarerun.images.commands import JDKS
from jcarerun.plan.listing import write_experiments
from jcarerun.support import engine

pytestmark = pytest.mark.containers
FIXTURES = Path("analysis/tests/testthat/fixtures")
PUBLISHED = Path("data/published")


class Reader:
    """A process of R that reads one file after the other."""

    def __init__(self, folder):
        self.folder = folder
        definitions = folder / "definitions.json"
        write_experiments(argparse.Namespace(file=definitions))
        image_id = image.ensure("docker", catalogue.read().analysis, JDKS)
        words = ["Rscript", "analysis/tests/read_on_request.R", "--definitions", str(definitions)]
        command = engine.analysis_command("docker", image_id, words, readable=[folder])
        command.insert(command.index("run") + 1, "--interactive")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, kind, path):
        """How the reading of a file ends, and what its user is told."""
        self.process.stdin.write(f"{kind}\t{path}\n".encode())
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], mutations.LONGEST_S)
        assert ready, f"{path.name}: takes more than {mutations.LONGEST_S} s"
        line = self.process.stdout.readline()
        assert line, f"{path.name}: ends R"
        return json.loads(line)

    def accepted_or_refused(self, kind, path, name):
        """Fails unless a file is read, or refused in one bounded line that names it."""
        answer = self.ask(kind, path)
        said = answer["said"] if isinstance(answer["said"], list) else [answer["said"]]
        assert answer["end"] in ("accepted", "refused"), said
        for line in said:
            assert not any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in line), line
        if answer["end"] == "refused":
            (line,) = said
            assert len(line) <= 2 * mutations.MOST_CHARS
            assert name in line

    def close(self):
        """End it."""
        self.process.stdin.close()
        self.process.wait(60)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    made = Reader(tmp_path_factory.mktemp("results"))
    yield made
    made.close()


def spoilt(file):
    """Bytes of a file, spoilt as a text, cut short or in a byte."""
    content = file.read_bytes()
    text = content.decode("utf-8", "replace")
    as_text = mutations.text(text).map(lambda changed: changed.encode("utf-8", "surrogatepass"))
    cut = st.integers(0, len(content)).map(lambda at: content[:at])
    other = st.tuples(st.integers(0, len(content) - 1), st.binary(max_size=3)).map(
        lambda change: content[: change[0]] + change[1] + content[change[0] + 1 :]
    )
    if file.suffix != ".json":
        return as_text | cut | other
    return as_text | cut | other | mutations.tree(json.loads(content)).map(lambda found: json.dumps(found).encode())


def check(reader, kind, file, name, path=None):
    target = reader.folder / name
    target.parent.mkdir(exist_ok=True)

    @mutations.fewest
    @given(spoilt(file))
    def spoil(content):
        target.write_bytes(content)
        reader.accepted_or_refused(kind, path or target, path.name if path else target.name)

    spoil()


@pytest.mark.parametrize("file", sorted((FIXTURES / "jmh").glob("*.json")), ids=lambda file: file.stem)
def test_a_spoilt_result_of_jmh(reader, file):
    check(reader, "jmh", file, "result.json")


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("**/*.log")), ids=lambda file: file.stem)
def test_a_spoilt_gc_log(reader, file):
    check(reader, "gc", file, "gc.log")


@pytest.mark.parametrize("file", sorted(PUBLISHED.glob("*.csv")), ids=lambda file: file.stem)
def test_spoilt_numbers_of_a_study(reader, file):
    folder = reader.folder / "published"
    shutil.copytree(PUBLISHED, folder, dirs_exist_ok=True)
    # Of a row that is gone, the directory is named.
    check(reader, "published", file, f"published/{file.name}", folder)
