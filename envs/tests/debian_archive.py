"""A Debian archive of a few tiny packages, and a web server for it: stands in for the live and the snapshot archive."""

import hashlib
import http.server
import subprocess
import threading
from functools import partial
from pathlib import Path


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(folder: Path) -> http.server.ThreadingHTTPServer:
    """Serve a directory on a free port of the loopback; `shutdown` ends it."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def deb(folder: Path, name: str, version: str, words: str = "") -> Path:
    """Make an empty package."""
    tree = folder / f"tree-{name}-{version.replace(':', '_')}{words}"
    (tree / "DEBIAN").mkdir(parents=True)
    essential = "Essential: yes\nPriority: required\n" if name == "apt" else ""
    (tree / "DEBIAN/control").write_text(
        f"Package: {name}\nVersion: {version}\nArchitecture: amd64\nMaintainer: x <x@example.org>\n{essential}"
        f"Description: test {words}\n"
    )
    file = folder / f"{name}_{version.replace(':', '%3a')}_amd64.deb"
    command = ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(file)]
    subprocess.run(command, check=True, capture_output=True, env={"SOURCE_DATE_EPOCH": "0", "PATH": "/usr/bin:/bin"})
    return file


def publish(root: Path, suite: str, packages: list[tuple[str, str]], release: str = "", words: str = "") -> list[dict]:
    """Make an archive of these packages (name, version) at `root`; return them as a lock has them."""
    binary, pool = root / f"dists/{suite}/main/binary-amd64", root / "pool"
    binary.mkdir(parents=True)
    pool.mkdir(parents=True)
    stanzas, locked = [], []
    for name, version in packages:
        file = deb(pool, name, version, words)
        control = subprocess.run(["dpkg-deb", "--field", str(file)], capture_output=True, text=True, check=True).stdout
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        plain = file.with_name(file.name.replace("%3a", "_"))
        file.rename(plain)
        stanzas.append(f"{control}Filename: pool/{plain.name}\nSize: {plain.stat().st_size}\nSHA256: {digest}\n")
        locked.append({"name": name, "version": version, "architecture": "amd64", "sha256": digest})
    index = binary / "Packages"
    index.write_text("\n".join(stanzas))
    (root / f"dists/{suite}/Release").write_text(
        f"Origin: Test\nLabel: Test\nSuite: {suite}\nCodename: {suite}\nDate: Mon, 01 Jan 2024 00:00:00 UTC\n{release}SHA256:\n"
        f" {hashlib.sha256(index.read_bytes()).hexdigest()} {index.stat().st_size} main/binary-amd64/Packages\n"
    )
    return locked


def package_of_file(path: Path) -> dict:
    """The package that a file of that name holds."""
    name, version, architecture = path.stem.replace("%3a", ":").split("_")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"name": name, "version": version, "architecture": architecture, "sha256": digest}
