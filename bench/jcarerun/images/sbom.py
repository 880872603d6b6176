"""A bill of materials of an image: what it holds, each with version and SHA-256, as CycloneDX 1.5 in JSON.

In: an environment's record (image.py), which is what its lock lists where nothing has drifted. Out: a dict, the same for the same
image; so no time and no number drawn at random is in it. The format: https://cyclonedx.org/docs/1.5/json/
"""

import uuid
from pathlib import Path
from urllib.parse import quote

from jcarerun.support.files import write_json

NAME = "sbom.cdx.json"
# Where the numbers of our documents come from: any fixed one does.
_SPACE = uuid.UUID("5d1e4a43-5a0c-4a5e-9c7d-6f2f3f6d2c11")


def document(record: dict) -> dict:
    """The bill of materials of an environment's image."""
    image = record["image_id"]
    parts = [_package(package, record.get("suite")) for package in record["packages"]]
    if record.get("jdk"):
        parts.append(_jdk(record["jdk"]))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_SPACE, image)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "container", "bom-ref": image, "name": record["environment"], "version": image,
                **_hashes(image.partition(":")[2]),
            },
        },
        "components": parts,
        "dependencies": [{"ref": image, "dependsOn": [part["bom-ref"] for part in parts]}],
    }  # fmt: skip


def _hashes(digest: str | None) -> dict:
    return {"hashes": [{"alg": "SHA-256", "content": digest}]} if digest else {}


def _package(package: dict, suite: str | None) -> dict:
    """A Debian package, by the rules of package URLs (https://github.com/package-url/purl-spec)."""
    name, version, architecture = (quote(package[key], safe="") for key in ("name", "version", "architecture"))
    purl = f"pkg:deb/debian/{name}@{version}?arch={architecture}{f'&distro={quote(suite)}' if suite else ''}"
    return {
        "type": "library", "bom-ref": purl, "name": package["name"], "version": package["version"], "purl": purl,
        **_hashes(package.get("sha256")),
    }  # fmt: skip


def _jdk(jdk: dict) -> dict:
    """The JDK: a wheel, a tarball, or one of the packages above, which has its hash."""
    found = {"type": "platform", "bom-ref": f"jdk:{jdk['id']}", "name": jdk["id"], **_hashes(jdk.get("sha256"))}
    if wheel := jdk.get("wheel"):
        name, version = wheel.split(" ")
        found |= {"version": version, "purl": f"pkg:pypi/{quote(name.lower().replace('_', '-'))}@{quote(version)}"}
    if tarball := jdk.get("tarball"):
        found["externalReferences"] = [{"type": "distribution", "url": tarball}]
    return found


def write(record: dict, folder: Path) -> Path:
    """Write the bill of an environment's image beside its record."""
    write_json(folder / NAME, document(record))
    return folder / NAME
