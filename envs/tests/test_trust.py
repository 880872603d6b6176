"""Certificates of the system's store: a server of an authority that only they know is reached by Python, pip and Maven."""

import http.server
import os
import shutil
import ssl
import subprocess
import sys
import threading
import urllib.error
from pathlib import Path

import pytest

from jcarerun.support import trust

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")

_POM = """<project><modelVersion>4.0.0</modelVersion><artifactId>child</artifactId><packaging>pom</packaging>
<parent><groupId>of</groupId><artifactId>parent</artifactId><version>1</version><relativePath/></parent></project>"""
_SETTINGS = "<settings><mirrors><mirror><id>own</id><mirrorOf>*</mirrorOf><url>{}</url></mirror></mirrors></settings>"


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """A folder with an authority of our own (ca.crt), and a server's certificate by it."""
    folder = tmp_path_factory.mktemp("authority")
    key = ("-newkey", "rsa:2048", "-nodes", "-keyout")
    openssl(folder, "req", "-x509", *key, "ca.key", "-out", "ca.crt", "-days", "2", "-subj", "/CN=an authority of ours")
    openssl(folder, "req", *key, "own.key", "-out", "own.csr", "-subj", "/CN=localhost")
    (folder / "names").write_text("subjectAltName=DNS:localhost")
    signed = ("-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names", "-days", "2")
    openssl(folder, "x509", "-req", "-in", "own.csr", *signed, "-out", "own.crt")
    return folder


@pytest.fixture
def server(authority):
    """Its address, and the paths that it was asked for: it has nothing, but says so only to whoever trusts it."""
    asked = []

    class Nothing(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority / "own.crt", authority / "own.key")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Nothing) as found:
        found.socket = context.wrap_socket(found.socket, server_side=True)
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"https://localhost:{found.server_port}", asked
        found.shutdown()


@pytest.fixture
def trusting(authority, monkeypatch):
    """Make it a machine with that authority in the file of its store; its user has told pip and Maven nothing."""
    for name in ("PIP_CERT", "MAVEN_OPTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority / "ca.crt"))


def test_python_reaches_it(server, trusting):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        trust.opened(server[0], 10)
    assert server[1] == ["/"]


def test_python_refuses_an_authority_that_the_system_does_not_know(server, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        trust.opened(server[0], 10)


@pytest.mark.slow
def test_pip_reaches_it(server, trusting):
    argv = ["download", "--retries=0", "--no-cache-dir", "--no-deps", f"--index-url={server[0]}", "--dest=.", "nothing"]
    subprocess.run([sys.executable, "-m", "pip", *argv], env={**os.environ, **trust.for_pip()}, capture_output=True)
    assert "/nothing/" in server[1]


def test_what_the_user_told_pip_stays(trusting, monkeypatch, tmp_path):
    (tmp_path / "pip.conf").write_text("[global]\ncert = /a/file/of/theirs\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    assert trust.for_pip() == {}
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_CERT", "/a/file/of/theirs")
    assert trust.for_pip() == {}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")
def test_maven_reaches_it_by_a_store_made_of_the_system_s(server, trusting, tmp_path):
    (tmp_path / "pom.xml").write_text(_POM)
    (tmp_path / "settings.xml").write_text(_SETTINGS.format(server[0]))
    argv = ["mvn", "--batch-mode", "--settings=settings.xml", f"-Dmaven.repo.local={tmp_path / 'm2'}", "validate"]
    told = {**os.environ, **trust.for_maven(tmp_path / "store")}
    run = subprocess.run(argv, cwd=tmp_path, env=told, capture_output=True, text=True)
    assert "/of/parent/1/parent-1.pom" in server[1], run.stdout


def test_a_store_for_java_has_each_certificate_once_and_is_the_same_bytes_each_time(authority):
    text = "a comment\n" + (authority / "ca.crt").read_text() * 2 + (authority / "own.crt").read_text()
    found = trust.certificates(text)
    assert len(found) == 2
    assert trust.java_store(found) == trust.java_store(found) != trust.java_store(found[:1])


def test_no_store_is_made_where_no_certificates_are(monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none"))
    assert trust.bundle() is None and trust.for_pip() == {} and trust.for_maven(tmp_path / "store") == {}
