"""What an environment holds: its lock, how a build differs from that, and the bill of materials of its image."""

import json
import uuid
from pathlib import Path
from urllib.parse import quote

from jcarerun.errors import UserError
from jcarerun.images.catalogue import ENVS, Environment
from jcarerun.support.files import load_json, write_json

REMEDY = "write it anew with `make lock`"
KEYS = ("environment", "image_id", "system", "suite", "jdk", "snapshot", "packages")

SBOM = "sbom.cdx.json"
# Where the numbers of our documents come from: any fixed one does.
_SBOM_SPACE = uuid.UUID("5d1e4a43-5a0c-4a5e-9c7d-6f2f3f6d2c11")


def path(environment_id: str) -> Path:
    """The lock file of an environment."""
    return ENVS / "locks" / f"{environment_id}.json"


def write(record: dict) -> Path:
    """Write the lock for an environment's record; one package a line, so that a change reads well.

    One for other processors than this machine's has no image id, and says that nothing was run.

    Where the packages are those of the lock before it, the moment that this lock gives for the snapshot archive stays.
    """
    kept = {**{key: record.get(key) for key in KEYS}, "jdk": _jdk(record)}
    before = read(record["environment"])
    if before and before["snapshot"] and before["packages"] == kept["packages"]:
        kept["snapshot"] = before["snapshot"]
    if kept["image_id"] is None:
        kept["untested"] = (
            "packages and JDK were fetched and hashed on a machine of another kind; nothing was built or run"
        )
    packages = ",\n".join("  " + json.dumps(package) for package in kept.pop("packages"))
    head = json.dumps(kept, indent=1)[:-2]
    target = path(record["environment"])
    target.parent.mkdir(exist_ok=True)
    target.write_text(f'{head},\n "packages": [\n{packages}\n ]\n}}\n')
    return target


def read(environment_id: str) -> dict | None:
    """The lock, or None where there is none. Raises UserError for a lock that can't be read."""
    file = path(environment_id)
    if not file.exists():
        return None
    try:
        lock = load_json(file, REMEDY)
        return {key: lock[key] if key != "snapshot" else lock.get(key) for key in KEYS}
    except KeyError as error:
        raise UserError(f"{file}: not a lock ({error}); {REMEDY}") from None


def _jdk(record: dict) -> dict | None:
    """The JDK's identity: its label may be reworded."""
    return record["jdk"] and {key: value for key, value in record["jdk"].items() if key != "label"}


def of_rootfs(environments: list[Environment]) -> dict | None:
    """The lock that a root file system is made by: that of the first of its environments that has one.

    Where the locks of sisters differ, the others will say so as drift; `make lock` writes them all alike.
    """
    return next((lock for lock in (read(environment.id) for environment in environments) if lock), None)


def drift(record: dict, lock: dict | None) -> list[dict]:
    """What differs between a build's record and its lock: rows of `package`, `locked`, `found` (empty: not there).

    The image id is a row of its own where it alone differs, so that no difference is silent.
    """
    if lock is None:
        return [{"package": "(all)", "locked": "", "found": "no lock yet"}]
    before, after = ({package["name"]: package for package in each["packages"]} for each in (lock, record))
    rows = [
        {"package": name, "locked": _version(before.get(name)), "found": _version(after.get(name))}
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]
    if _jdk(lock) != _jdk(record):
        rows.append({"package": "(jdk)", "locked": str(_jdk(lock)), "found": str(_jdk(record))})
    if not rows and lock["image_id"] != record["image_id"]:
        rows.append({"package": "(image id)", "locked": lock["image_id"] or "", "found": record["image_id"]})
    return rows


def refuse(record: dict) -> None:
    """Raise UserError, in one line, where a record has drifted from its lock."""
    if not record["drift"]:
        return
    row, more = record["drift"][0], len(record["drift"]) - 1
    raise UserError(
        f"{path(record['environment'])}: {row['package']}: locked {row['locked'] or '-'}, found {row['found'] or '-'}"
        f"{f', and {more} more' if more else ''}; strict refuses what has drifted: go on without strict, or write the locks "
        "anew with `make lock`"
    )


def _version(package: dict | None) -> str:
    """Version, with the start of the hash: the same version with other bytes must be seen."""
    return f"{package['version']} ({package['sha256'][:8]})" if package else ""


def sbom(record: dict) -> dict:
    """The bill of materials of an environment's image: what it holds, each with version and SHA-256, as CycloneDX 1.5.

    The same for the same image: no time and no random number is in it. The format: https://cyclonedx.org/docs/1.5/json/
    """
    image = record["image_id"]
    parts = [_package_part(package, record.get("suite")) for package in record["packages"]]
    if record.get("jdk"):
        parts.append(_jdk_part(record["jdk"]))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_SBOM_SPACE, image)}",
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


def _package_part(package: dict, suite: str | None) -> dict:
    """A Debian package, by the rules of package URLs (https://github.com/package-url/purl-spec)."""
    name, version, architecture = (quote(package[key], safe="") for key in ("name", "version", "architecture"))
    purl = f"pkg:deb/debian/{name}@{version}?arch={architecture}{f'&distro={quote(suite)}' if suite else ''}"
    return {
        "type": "library", "bom-ref": purl, "name": package["name"], "version": package["version"], "purl": purl,
        **_hashes(package.get("sha256")),
    }  # fmt: skip


def _jdk_part(jdk: dict) -> dict:
    """The JDK: a wheel, a tarball, or one of the packages above, which has its hash."""
    found = {"type": "platform", "bom-ref": f"jdk:{jdk['id']}", "name": jdk["id"], **_hashes(jdk.get("sha256"))}
    if wheel := jdk.get("wheel"):
        name, version = wheel.split(" ")
        found |= {"version": version, "purl": f"pkg:pypi/{quote(name.lower().replace('_', '-'))}@{quote(version)}"}
    if tarball := jdk.get("tarball"):
        found["externalReferences"] = [{"type": "distribution", "url": tarball}]
    return found


def write_sbom(record: dict, folder: Path) -> Path:
    """Write the bill of an environment's image beside its record."""
    write_json(folder / SBOM, sbom(record))
    return folder / SBOM
