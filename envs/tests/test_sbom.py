"""The bill of materials of an image: of the form that CycloneDX asks for, and with all that the lock lists."""

import json
from pathlib import Path

import jsonschema
import pytest

from jcarerun.images import lock, sbom

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
def test_it_has_the_form_and_all_that_is_locked(name):
    locked = lock.read(name)
    found = json.loads(json.dumps(sbom.document(locked)))
    jsonschema.validate(found, SCHEMA)
    refs = [part["bom-ref"] for part in found["components"]]
    assert len(set(refs)) == len(refs)
    assert found["dependencies"] == [{"ref": locked["image_id"], "dependsOn": refs}]
    packages = [part for part in found["components"] if part["type"] == "library"]
    told = {(part["name"], part["version"], part["hashes"][0]["content"]) for part in packages}
    assert told == {(each["name"], each["version"], each["sha256"]) for each in locked["packages"]}
    assert sum(part["type"] == "platform" for part in found["components"]) == bool(locked["jdk"])


def test_the_same_image_has_the_same_bill(tmp_path):
    locked = lock.read(LOCKS[0])
    assert sbom.write(locked, tmp_path).read_bytes() == sbom.write(locked, tmp_path).read_bytes()
    other = sbom.document({**locked, "image_id": "sha256:" + "0" * 64})
    assert other["serialNumber"] != sbom.document(locked)["serialNumber"]
