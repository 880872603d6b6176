"""What the project says of itself: links lead somewhere, commands exist, examples are accepted, machines read one version."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml

from jcarerun import choose, cli, make
from jcarerun.errors import UserError
from jcarerun.plan import definitions, settings
from jcarerun.plan.demand import REST
from jcarerun.run import run
from jcarerun.support.yamlfile import load_checked

PAGES = sorted([Path("README.md"), Path("CONTRIBUTING.md"), *Path("docs").glob("*.md")])


def test_links_lead_to_files():
    links = [page.parent / link for page in PAGES for link in re.findall(r"\]\(([^)#]+)\)", page.read_text())]
    own = [link for link in links if ":/" not in str(link)]
    assert len(own) > 40
    assert [str(link) for link in own if not link.exists()] == []


def test_links_to_a_heading_lead_to_one():
    def anchors(page):
        headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
        return {re.sub(r"[^a-z0-9 -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}

    for page in PAGES:
        for link, anchor in re.findall(r"\]\(([^):#]*)#([^)]+)\)", page.read_text()):
            assert anchor in anchors(page.parent / link if link else page), f"{page}: {link}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_are_accepted(page):
    """Every `make TARGET NAME=VALUE...` and every `jca-rerun COMMAND ...` of a page, options too."""
    text = page.read_text()
    if page.name == "renamed.md":  # its first column has the old names
        text = re.sub(r"^\|[^|]*\|", "|", text, flags=re.MULTILINE)
    of_make = r"(?:[A-Z_]+=\S+ )*make(?: -C \S+)? [a-z]"
    named = re.findall(rf"^({of_make}[^#\n]*)(?:#|$)|`({of_make}[^`]*)`", text, re.MULTILINE)
    for line in (first or second for first, second in named):
        words = [word for word in shlex.split(re.sub(r"\[.*?\]|-C \S+ ", "", line)) if word not in ("make", "...")]
        target = next(word for word in words if "=" not in word)
        given = dict(word.split("=", 1) for word in words if "=" in word and not word.startswith("SSL_CERT_FILE="))
        if target == "test-slurm":  # of the Makefile alone
            continue
        try:
            make.command(target, given, {})
        except UserError as error:
            assert "is missing" in str(error) and not given, line
    parser = cli.command_line().parser
    for line in re.findall(
        r"^(?:\S*/)?jca-rerun (?!COMMAND)([a-z][^#\n]*)|`jca-rerun ([a-z][^`]*)`", text, re.MULTILINE
    ):
        words = shlex.split(line[0] or line[1])
        if len(words) > 1:
            parser.parse_args(words)
        assert words[0] in cli.command_line().commands


def test_every_page_is_named_in_the_readme():
    readme = Path("README.md").read_text()
    assert [page for page in Path("docs").glob("*.md") if f"({page})" not in readme] == []


def test_the_example_of_a_study_of_ones_own_is_accepted(tmp_path):
    found = re.search(r"```yaml\n(.+?)```", Path("docs/own-study.md").read_text(), re.DOTALL)
    (tmp_path / "gcm.yaml").write_text(found[1])
    planned = run.from_config({"experiment_dir": str(tmp_path), "calibration": False})
    java = {planned.registry.catalogue.find(round_.environment).jdk.java for round_ in planned.first}
    assert len(planned.first) == 10 and java == {21, 25}
    assert {len(round_.cells) for round_ in planned.first} == {4}
    assert planned.planner.first_demands[0].rank < REST


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_settings_of_snakemake_are_known_and_can_be_read(page):
    """Every KEY=VALUE of a `snakemake ... --config` command; directories need not be there."""
    for line in re.findall(r"snakemake [^\n`]*--config ([^#\n`]*)", page.read_text()):
        words = [word for word in shlex.split(line.split("|")[0]) if "=" in word]
        given = settings.normalised(
            {key: yaml.safe_load(value) for key, value in (word.split("=", 1) for word in words)}
        )
        for key, value in given.items():
            assert key in settings.defaults(), f"{page}: {key}"
            if value not in ("...", None):
                assert settings.complaint(key, value, settings.SCHEMA) is None, f"{page}: {key}={value}"


def test_questions_of_the_docs_are_understood():
    lines = [
        line for page in PAGES for line in re.findall(r"^jca-rerun (choose [^#\n]*)", page.read_text(), re.MULTILINE)
    ]
    assert len(lines) >= 5
    for line in lines:
        assert choose._question(cli.command_line().parser.parse_args(shlex.split(line))).id


def test_the_example_of_a_jar_of_ones_own_is_of_the_schema_and_short(tmp_path):
    """Its jars are fetched only by who tries it."""
    found = re.search(r"```yaml\n(.+?)```", Path("docs/own-jar.md").read_text(), re.DOTALL)
    (tmp_path / "maps.yaml").write_text(found[1])
    data = load_checked(tmp_path / "maps.yaml", definitions.SCHEMA)
    assert data["jar"]["maven"] and data["claims"] and len(found[1].splitlines()) <= 40


def test_the_outside_suites_are_of_the_schema_and_short_and_of_three_jdks(tmp_path, registry):
    """What they are of is fetched only by who tries them."""
    found = re.findall(r"```yaml\n(.+?)```", Path("docs/outside-suites.md").read_text(), re.DOTALL)
    assert len(found) == 3
    for number, text in enumerate(found):
        file = tmp_path / f"suite-{number}.yaml"
        file.write_text(text)
        data = load_checked(file, definitions.SCHEMA)
        jdks = {registry.catalogue.find(name).jdk.id for name in data["tiers"]["quick"]["environments"]}
        assert data["claims"] and len(text.splitlines()) <= 40 and len(jdks) == 3


def test_the_tests_that_the_page_on_faults_names_exist():
    named = re.findall(r"`([^`]+)::([^`]+)`", Path("docs/faults.md").read_text())
    assert len(named) > 100
    for file, test in named:
        name = test.partition("[")[0]
        text = Path(file).read_text()
        assert any(words in text for words in (f"def {name}(", f'test_that("{name}"', f"void {name}(")), (
            f"{file}::{test}"
        )


PROJECT = tomllib.loads(Path("pyproject.toml").read_text())["project"]
CITATION = yaml.safe_load(Path("CITATION.cff").read_text())
CODEMETA = json.loads(Path("codemeta.json").read_text())

# Terms of CodeMeta 3.0 (https://codemeta.github.io/terms) that a file of ours may have.
TERMS = {
    "name", "description", "version", "license", "author", "contributor", "keywords", "programmingLanguage",
    "operatingSystem", "softwareRequirements", "readme", "developmentStatus", "codeRepository", "issueTracker",
    "datePublished", "dateModified", "referencePublication", "identifier", "url",
}  # fmt: skip


def test_the_citation_has_what_its_format_requires():
    """https://github.com/citation-file-format/citation-file-format, schema 1.2.0."""
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["type"] in ("software", "dataset")
    assert all(CITATION[key].strip() for key in ("message", "title"))
    assert CITATION["authors"] and all(
        author.get("name") or author.get("family-names") for author in CITATION["authors"]
    )
    assert len(set(CITATION["keywords"])) == len(CITATION["keywords"])


def test_the_codemeta_file_has_terms_of_codemeta_alone():
    assert CODEMETA["@context"] == "https://w3id.org/codemeta/3.0"
    assert CODEMETA["@type"] == "SoftwareSourceCode"
    assert {key for key in CODEMETA if not key.startswith("@")} - TERMS == set()
    assert Path(CODEMETA["readme"]).is_file()


def test_version_name_licence_and_authors_are_the_same_everywhere():
    assert PROJECT["version"] == str(CITATION["version"]) == CODEMETA["version"]
    description = dict(
        line.split(": ", 1) for line in Path("analysis/DESCRIPTION").read_text().splitlines() if ": " in line
    )
    assert description["Version"] == PROJECT["version"]
    assert f"## [{PROJECT['version']}] - {CITATION['date-released']}" in Path("CHANGELOG.md").read_text()
    assert PROJECT["name"] == CODEMETA["name"] == CITATION["title"].partition(":")[0]
    assert PROJECT["license"] == CITATION["license"] == CODEMETA["license"].rpartition("/")[2]
    assert PROJECT["description"] == CODEMETA["description"]
    assert [author["name"] for author in CITATION["authors"]] == [author["name"] for author in CODEMETA["author"]]
    assert CITATION["keywords"] == CODEMETA["keywords"]
    assert "Apache License" in Path("LICENSE").read_text()


def test_the_catalogue_of_workflows_is_told_how_this_one_is_used():
    """https://snakemake.github.io/snakemake-workflow-catalog: its keys, and no way of deployment that is not ours."""
    usage = yaml.safe_load(Path(".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["mandatory-flags"].keys() == {"desc", "flags"}
    deployment = usage["software-stack-deployment"]
    rules = "".join(path.read_text() for path in [Path("Snakefile"), *Path().glob("[abr]*/*.smk")])
    assert deployment["conda"] == bool(re.search(r"^ +conda:", rules, re.MULTILINE))
    assert deployment["apptainer"] == bool(re.search(r"^ *container:", rules, re.MULTILINE))
    assert usage["report"] == bool(re.search(r"\breport\(", rules))
