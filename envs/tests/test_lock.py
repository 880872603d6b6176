"""Locks and drift: no difference between a build and its lock is silent. Bills of materials: all that the lock lists."""

import copy
import json
from pathlib import Path

import jsonschema
import pytest

from jcarerun.errors import UserError
from jcarerun.images import commands as builder
from jcarerun.images import lock
from jcarerun.images.catalogue import read

RECORD = {
    "environment": "x",
    "image_id": "sha256:aa",
    "system": "Debian 12",
    "suite": "bookworm",
    "jdk": {"id": "j", "sha256": "11"},
    "snapshot": "20240101T000000Z",
    "packages": [
        {"name": "bash", "version": "5.2", "architecture": "amd64", "sha256": "ab" * 32},
        {"name": "libc6", "version": "2.36", "architecture": "amd64", "sha256": "cd" * 32},
    ],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "ENVS", tmp_path)
    return tmp_path


def test_what_is_written_is_read_again(folder):
    lock.write(RECORD)
    assert lock.read("x") == RECORD
    assert lock.drift(RECORD, lock.read("x")) == []


def test_a_package_a_line(folder):
    assert sum('"version"' in line for line in lock.write(RECORD).read_text().splitlines()) == 2


def test_a_lock_for_other_processors_says_that_nothing_was_run(folder):
    record = {**RECORD, "image_id": None}
    assert "nothing was built or run" in lock.write(record).read_text()
    assert lock.drift(record, lock.read("x")) == []
    (row,) = lock.drift(RECORD, lock.read("x"))
    assert (row["package"], row["locked"], row["found"]) == ("(image id)", "", "sha256:aa")


def test_moment_of_the_lock_stays_while_its_packages_do(folder):
    lock.write(RECORD)
    lock.write({**RECORD, "snapshot": "20250101T000000Z"})
    assert lock.read("x")["snapshot"] == "20240101T000000Z"
    lock.write({**RECORD, "snapshot": "20250101T000000Z", "packages": RECORD["packages"][:1]})
    assert lock.read("x")["snapshot"] == "20250101T000000Z"


def test_strict_refuses_drift_in_one_line(folder):
    lock.refuse({**RECORD, "drift": []})
    rows = drift_after(lambda r: r["packages"][0].update(version="5.3"))
    with pytest.raises(UserError) as caught:
        lock.refuse({**RECORD, "drift": rows})
    words = str(caught.value)
    assert all(part in words for part in ("bash", "locked 5.2", "found 5.3", "make lock")) and "\n" not in words


def drift_after(change):
    found = copy.deepcopy(RECORD)
    change(found)
    return lock.drift(found, RECORD)


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        (lambda r: r["packages"][0].update(version="5.3"), [("bash", "5.2 (abababab)", "5.3 (abababab)")]),
        (lambda r: r["packages"][1].update(sha256="ef" * 32), [("libc6", "2.36 (cdcdcdcd)", "2.36 (efefefef)")]),
        (lambda r: r["packages"].pop(0), [("bash", "5.2 (abababab)", "")]),
        (
            lambda r: r["packages"].append({**RECORD["packages"][0], "name": "zlib1g"}),
            [("zlib1g", "", "5.2 (abababab)")],
        ),
        (lambda r: r.update(image_id="sha256:bb"), [("(image id)", "sha256:aa", "sha256:bb")]),
        (
            lambda r: r.update(jdk={"id": "j", "sha256": "22"}),
            [("(jdk)", "{'id': 'j', 'sha256': '11'}", "{'id': 'j', 'sha256': '22'}")],
        ),
    ],
    ids=["another version", "other bytes", "a package gone", "a new package", "another image id alone", "another JDK"],
)
def test_no_difference_is_silent(change, rows):
    assert [(row["package"], row["locked"], row["found"]) for row in drift_after(change)] == rows


def test_no_lock_is_said(folder):
    assert lock.drift(RECORD, lock.read("x"))[0]["found"] == "no lock yet"


def test_broken_lock_is_refused(folder):
    (folder / "locks").mkdir()
    (folder / "locks/x.json").write_text("{")
    with pytest.raises(UserError, match="make lock"):
        lock.read("x")


def test_one_environments_lock_leaves_the_others_as_they_are(folder, monkeypatch):
    first, second = [environment.id for environment in read().every()][:2]
    for name in (first, second):
        record = folder / "build" / name / "environment.json"
        record.parent.mkdir(parents=True)
        record.write_text(json.dumps({**RECORD, "environment": name, "drift": [{"package": "bash"}]}))
    monkeypatch.setattr(builder.image, "record_path", lambda name: folder / "build" / name / "environment.json")
    monkeypatch.setattr(builder.os, "utime", lambda path: None)
    builder.lock(first)
    assert lock.path(first).exists()
    assert not lock.path(second).exists()
    assert json.loads((folder / "build" / first / "environment.json").read_text())["drift"] == []
    assert json.loads((folder / "build" / second / "environment.json").read_text())["drift"] != []


def test_every_environment_has_a_lock():
    for environment in read().every():
        name, entry = environment.id, lock.read(environment.id)
        assert entry is not None, f"envs/locks/{name}.json: missing; run `make lock`"
        assert all(len(p["sha256"]) == 64 for p in entry["packages"])
        if environment.architecture == "amd64":
            assert entry["image_id"].startswith("sha256:")
        else:
            assert entry["image_id"] is None, f"{name}: say in docs/environments.md that it was built"
            assert {package["architecture"] for package in entry["packages"]} == {environment.architecture, "all"}


# What is for other processors has no image.
LOCKS = sorted(path.stem for path in Path("envs/locks").glob("*.json") if lock.read(path.stem)["image_id"])

# What CycloneDX 1.5 requires, and the forms of what we use of it (https://cyclonedx.org/docs/1.5/json/).
WORD = "[A-Za-z0-9.+~%_-]+"
PURL = f"^pkg:(deb/debian|pypi)/{WORD}@{WORD}([?][a-z]+={WORD}(&[a-z]+={WORD})*)?$"
HASH = {
    "type": "object",
    "required": ["alg", "content"],
    "additionalProperties": False,
    "properties": {
        "alg": {"enum": ["SHA-256", "SHA-512"]},
        "content": {"pattern": "^([a-fA-F0-9]{64}|[a-fA-F0-9]{128})$"},
    },
}
COMPONENT = {
    "type": "object",
    "required": ["type", "name"],
    "additionalProperties": False,
    "properties": {
        "type": {"enum": ["application", "framework", "library", "container", "platform", "operating-system", "file"]},
        "bom-ref": {"type": "string", "minLength": 1},
        "name": {"type": "string"},
        "version": {"type": "string"},
        "purl": {"type": "string", "pattern": PURL},
        "hashes": {"type": "array", "items": HASH},
        "externalReferences": {"type": "array", "items": {"type": "object", "required": ["type", "url"]}},
    },
}  # fmt: skip
SCHEMA = {
    "type": "object",
    "required": ["bomFormat", "specVersion"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"const": "http://cyclonedx.org/schema/bom-1.5.schema.json"},
        "bomFormat": {"const": "CycloneDX"},
        "specVersion": {"const": "1.5"},
        "serialNumber": {"pattern": "^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"},
        "version": {"type": "integer", "minimum": 1},
        "metadata": {"type": "object", "properties": {"component": COMPONENT}},
        "components": {"type": "array", "items": COMPONENT, "uniqueItems": True},
        "dependencies": {"type": "array", "uniqueItems": True, "items": {"type": "object", "required": ["ref"]}},
    },
}


@pytest.mark.parametrize("name", LOCKS)
def test_a_bill_of_materials_has_the_form_of_cyclonedx_and_all_that_is_locked(name):
    locked = lock.read(name)
    found = json.loads(json.dumps(lock.sbom(locked)))
    jsonschema.validate(found, SCHEMA)
    refs = [part["bom-ref"] for part in found["components"]]
    assert len(set(refs)) == len(refs)
    assert found["dependencies"] == [{"ref": locked["image_id"], "dependsOn": refs}]
    packages = [part for part in found["components"] if part["type"] == "library"]
    listed = {(part["name"], part["version"], part["hashes"][0]["content"]) for part in packages}
    assert listed == {(each["name"], each["version"], each["sha256"]) for each in locked["packages"]}
    assert sum(part["type"] == "platform" for part in found["components"]) == bool(locked["jdk"])


def test_the_same_image_has_the_same_bill(tmp_path):
    locked = lock.read(LOCKS[0])
    assert lock.write_sbom(locked, tmp_path).read_bytes() == lock.write_sbom(locked, tmp_path).read_bytes()
    other = lock.sbom({**locked, "image_id": "sha256:" + "0" * 64})
    assert other["serialNumber"] != lock.sbom(locked)["serialNumber"]
