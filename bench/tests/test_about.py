"""What the project says of itself to machines is whole, and says one thing everywhere."""

import json
import re
import tomllib
from pathlib import Path

import yaml

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
