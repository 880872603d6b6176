"""A bundle's metadata are a Provenance Run Crate: the profiles' own validator finds nothing that is required to be missing."""

import io
import json
from pathlib import Path

import pytest
from requests import Request, Response
from requests_cache import CachedSession
from rocrate_validator import services
from rocrate_validator.models import Severity, ValidationSettings
from urllib3 import HTTPResponse

from bench.tests.bundle.sealing import unpacked

pytestmark = pytest.mark.sample

# The terms that our crates use, cut from the context at ADDRESS, which is in the public domain (CC0): the validator asks for
# it, and tests have no network.
CONTEXT = Path("bench/tests/bundle/context-1.1.json")
ADDRESS = "https://w3id.org/ro/crate/1.1/context"


@pytest.fixture(scope="module")
def folder(bundle, tmp_path_factory):
    return unpacked(bundle, tmp_path_factory.mktemp("crate"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """What the validator would fetch, as it keeps it once it is fetched."""
    place = str(tmp_path_factory.mktemp("cache") / "http")
    answer = Response()
    answer.status_code, answer.url, answer._content = 200, ADDRESS, CONTEXT.read_bytes()
    answer.headers["Content-Type"] = "application/ld+json"
    answer.request = Request("GET", ADDRESS).prepare()
    answer.raw = HTTPResponse(body=io.BytesIO(), status=200, headers=answer.headers, preload_content=False)
    with CachedSession(cache_name=place, backend="sqlite", expire_after=-1) as session:
        session.cache.save_response(answer, cache_key=session.cache.create_key(answer.request))
    return place


def missing(folder, cache):
    """The identifiers of the required checks that a crate does not pass."""
    found = services.validate(
        ValidationSettings(
            rocrate_uri=str(folder),
            profile_identifier="provenance-run-crate",
            requirement_severity=Severity.REQUIRED,
            offline=True,
            cache_path=cache,
        )
    )
    return sorted({issue.check.identifier for issue in found.get_issues()})


def test_nothing_that_is_required_is_missing(folder, cache):
    assert missing(folder, cache) == []


def test_a_crate_without_who_ordered_its_steps_is_not_accepted(folder, cache):
    """The validator looks: without this, a cache that it can't read would be a pass."""
    file = folder / "ro-crate-metadata.json"
    whole = file.read_text()
    file.write_text(whole.replace('"ControlAction"', '"Action"'))
    try:
        assert "provenance-run-crate-0.5_8.3" in missing(folder, cache)
    finally:
        file.write_text(whole)


def test_its_terms_are_those_of_the_context(folder):
    """Each one that is not would have no meaning, and be passed over by every reader."""
    known = json.loads(CONTEXT.read_text())["@context"].keys()
    for entity in json.loads((folder / "ro-crate-metadata.json").read_text())["@graph"]:
        types = entity["@type"] if isinstance(entity["@type"], list) else [entity["@type"]]
        assert {key for key in entity if not key.startswith("@")} | set(types) <= known


def test_it_names_every_file_but_those_of_rounds_and_the_manifest(folder):
    """A round's files are listed by the round's own manifest."""
    named = {entity["@id"] for entity in json.loads((folder / "ro-crate-metadata.json").read_text())["@graph"]}
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    others = {name for name in files if not name.startswith("raw/")}
    assert others - named == {"manifest.sha256"}
    rounds = {f"raw/{'/'.join(file.parts[-4:-1])}/" for file in folder.glob("raw/*/*/*/round.json")}
    assert rounds <= named
