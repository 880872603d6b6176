"""The pages for people: their links lead somewhere, their commands exist, their example is accepted."""

import re
from pathlib import Path

import pytest

from jcarerun.plan import definitions
from jcarerun.run import run
from jcarerun.support.yamlfile import load_checked

PAGES = sorted([Path("README.md"), Path("CONTRIBUTING.md"), *Path("docs").glob("*.md")])


def test_links_lead_to_files():
    links = [page.parent / link for page in PAGES for link in re.findall(r"\]\(([^)#]+)\)", page.read_text())]
    own = [link for link in links if ":/" not in str(link)]
    assert len(own) > 40
    assert [str(link) for link in own if not link.exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_of_make_exist(page):
    targets = set(re.findall(r"^([a-z-]+(?: [a-z-]+)*):", Path("Makefile").read_text(), re.MULTILINE))
    known = {word for line in targets for word in line.split()}
    named = set(re.findall(r"(?:`|^)make ([a-z][a-z-]+)", page.read_text(), re.MULTILINE))
    assert named - known == set()


def test_every_page_is_named_in_the_readme():
    readme = Path("README.md").read_text()
    assert [page for page in Path("docs").glob("*.md") if f"({page})" not in readme] == []


def test_the_example_of_a_study_of_ones_own_is_accepted(tmp_path):
    found = re.search(r"```yaml\n(.+?)```", Path("docs/own-study.md").read_text(), re.DOTALL)
    (tmp_path / "hashes.yaml").write_text(found[1])
    planned = run.from_config({"experiment_dir": str(tmp_path), "calibration": False})
    assert len(planned.first) == 5
    assert {len(one.cells) for one in planned.first} == {4}


def test_the_example_of_a_jar_of_ones_own_is_of_the_schema_and_short(tmp_path):
    """Its jars are fetched only by who tries it."""
    found = re.search(r"```yaml\n(.+?)```", Path("docs/own-jar.md").read_text(), re.DOTALL)
    (tmp_path / "maps.yaml").write_text(found[1])
    data = load_checked(tmp_path / "maps.yaml", definitions.SCHEMA)
    assert data["jar"]["maven"] and data["claims"] and len(found[1].splitlines()) <= 40


def test_the_outside_suites_are_of_the_schema_and_short_and_of_three_jdks(tmp_path, world):
    """What they are of is fetched only by who tries them."""
    found = re.findall(r"```yaml\n(.+?)```", Path("docs/outside-suites.md").read_text(), re.DOTALL)
    assert len(found) == 3
    for number, text in enumerate(found):
        file = tmp_path / f"suite-{number}.yaml"
        file.write_text(text)
        data = load_checked(file, definitions.SCHEMA)
        jdks = {world.catalogue.find(name).jdk.id for name in data["tiers"]["quick"]["environments"]}
        assert data["claims"] and len(text.splitlines()) <= 40 and len(jdks) == 3
