"""An image of a registry, by its digest: pulled by the engine, which checks the bytes, and looked at for the record."""

import re

from jcarerun.errors import UserError
from jcarerun.images.catalogue import FILE, Environment
from jcarerun.support import engine as engines

QUERY = "dpkg-query -W -f='${Package}\\t${Version}\\t${Architecture}\\n' 2>/dev/null || true"


def pull(engine: str, environment: Environment) -> dict:
    """Pull the image if the engine lacks it; return its id, its packages and what its `java -version` says.

    Packages have no hash here: the digest holds all of them; the list is empty for an image without dpkg. Raises UserError
    where the registry has no such digest or other bytes than it promises, or the image no java.
    """
    place, digest = f"{FILE}: environments.{environment.id}.image", environment.image.partition("@")[2]
    image_id = engines.image_id(engine, environment.image)
    if image_id is None:
        said = engines.pull(engine, environment.image)
        image_id = engines.image_id(engine, environment.image)
        if image_id is None:
            raise UserError(f"{place}: {environment.image} can't be pulled ({_reason(said)})")
    status, words = engines.run_in(engine, image_id, ["java", "-version"])
    if status != 0 or "version" not in words:
        raise UserError(
            f"{place}: `java -version` fails in it ({words.strip()[:200] or 'no message'}); name an image with java"
        )
    version = [line.strip() for line in words.splitlines() if line.strip()]
    found = re.search(r'version "(?:1\.)?(\d+)', words)
    if found and int(found.group(1)) != environment.jdk.java:
        raise UserError(
            f"{FILE}: environments.{environment.id}.java: {environment.jdk.java} given, the image says {version[0]}; correct it"
        )
    status, listed = engines.run_in(engine, image_id, ["sh", "-c", QUERY])
    packages = [
        dict(zip(("name", "version", "architecture", "sha256"), (*line.split("\t"), ""), strict=True))
        for line in sorted(listed.splitlines() if status == 0 else [])
        if line.count("\t") == 2
    ]
    jdk = {"id": environment.jdk.id, "label": environment.jdk.label, "version": version, "image": digest}
    return {"image_id": image_id, "jdk": jdk, "packages": packages}


def _reason(said: str) -> str:
    """The engine's words, with the remedy for what is likeliest."""
    if re.search(r"manifest unknown|not found", said):
        return "the registry has no image of that digest; look the digest up again"
    if re.search(r"digest|verif|corrupt|does not match|invalid checksum", said, re.IGNORECASE):
        return "the registry's bytes don't match the digest; don't use that registry"
    if re.search(r"refused|no such host|timeout|timed out|dial tcp|unreachable", said):
        return f"the registry can't be reached: {said[:200]}"
    return said[:300]
