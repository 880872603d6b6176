"""Whom this machine trusts when it fetches: the certificates of the system's store, where a company's own authority stands.

In: the system's store as one file of PEM, or the file that SSL_CERT_FILE names. Out: the same for Python, pip and Java, which
may have certificates of their own instead. `python -m jcarerun.support.trust` prints what pip is to be given as PIP_CERT.
"""

import hashlib
import os
import re
import shutil
import ssl
import struct
import subprocess
import sys
import urllib.request
from collections.abc import Iterable
from pathlib import Path

from jcarerun.support.files import write_file

# Where systems keep their store as one file: Debian, Fedora, openSUSE, Alpine and macOS.
BUNDLES = (
    Path("/etc/ssl/certs/ca-certificates.crt"),
    Path("/etc/pki/tls/certs/ca-bundle.crt"),
    Path("/etc/ssl/ca-bundle.pem"),
    Path("/etc/ssl/cert.pem"),
)
# Debian's Java has the system's store here; what was put into it by hand is in no other file.
JAVA_STORE = Path("/etc/ssl/certs/java/cacerts")
# Where one is made on other systems.
MADE = Path("envs/cache/trust/cacerts")

_TIMEOUT_S = 60
_PEM = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
# Of Java's own format of stores: its magic number and version, the kind of an entry that is trusted, and what it is salted with.
_MAGIC, _VERSION, _TRUSTED, _SALT, _PASSWORD = 0xFEEDFEED, 2, 2, b"Mighty Aphrodite", "changeit"


def bundle() -> Path | None:
    """The certificates that this machine trusts, as one file of PEM; None where there is no such file."""
    named = os.environ.get("SSL_CERT_FILE")
    return next((path for path in ([Path(named)] if named else BUNDLES) if path.is_file()), None)


def opened(address: str, timeout: float):
    """An address, opened to be read. Raises OSError or ValueError as urlopen does."""
    context = ssl.create_default_context()
    # A Python that Debian did not build may look for the system's store elsewhere.
    if found := bundle():
        context.load_verify_locations(cafile=found)
    return urllib.request.urlopen(address, timeout=timeout, context=context)


def download(address: str, target: Path) -> None:
    """Copy what an address has to a file. Raises OSError or ValueError as urlopen does; then a part of it may be there."""
    with opened(address, _TIMEOUT_S) as source, target.open("wb") as file:
        shutil.copyfileobj(source, file)


def for_pip() -> dict[str, str]:
    """Variables by which this Python's pip trusts the system's store; none where the user has configured another."""
    found = bundle()
    if found is None or os.environ.get("PIP_CERT"):
        return {}
    argv = [sys.executable, "-m", "pip", "--disable-pip-version-check", "config", "list"]
    settings = subprocess.run(argv, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    return {} if re.search(r"^\w+\.cert=", settings, re.MULTILINE) else {"PIP_CERT": str(found)}


def for_java(made: Path = MADE) -> Path | None:
    """A store by which Java trusts whom the system does: Debian's, or else one at `made`, made now; None without certificates."""
    if JAVA_STORE.is_file() and not os.environ.get("SSL_CERT_FILE"):
        return JAVA_STORE
    found = bundle()
    if found is None:
        return None
    write_file(made, java_store(certificates(found.read_text(errors="replace"))))
    made.chmod(0o644)
    return made


def for_maven(made: Path = MADE) -> dict[str, str]:
    """Variables by which this machine's Maven trusts the system's store; none where the user has configured another."""
    own = os.environ.get("MAVEN_OPTS", "")
    if "javax.net.ssl.trustStore" in own or (store := for_java(made)) is None:
        return {}
    return {"MAVEN_OPTS": f"{own} -Djavax.net.ssl.trustStore={store.absolute()}".strip()}


def certificates(text: str) -> list[bytes]:
    """The certificates of a file of PEM, in DER, each once; what is around them is left out."""
    return list(dict.fromkeys(ssl.PEM_cert_to_DER_cert(match.group()) for match in _PEM.finditer(text)))


def java_store(trusted: Iterable[bytes]) -> bytes:
    """Certificates in DER as a store that every Java reads (format JKS, with Java's usual password): the same bytes each time."""

    def text(words: str) -> bytes:
        return struct.pack(">H", len(words)) + words.encode("ascii")

    entries = [
        struct.pack(">I", _TRUSTED)
        + text(hashlib.sha256(certificate).hexdigest())
        + struct.pack(">Q", 0)
        + text("X.509")
        + struct.pack(">I", len(certificate))
        + certificate
        for certificate in trusted
    ]
    body = struct.pack(">III", _MAGIC, _VERSION, len(entries)) + b"".join(entries)
    return body + hashlib.sha1(_PASSWORD.encode("utf-16-be") + _SALT + body).digest()


if __name__ == "__main__":
    print(for_pip().get("PIP_CERT", ""))
