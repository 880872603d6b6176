"""Who made an archive: its manifest signed with an ordinary SSH key, and the signature held against a list of signers.

The signature lies beside the archive, as `<archive>.sig`, and the list is ssh's own (ssh-keygen(1), ALLOWED SIGNERS).
"""

import os
import subprocess
from pathlib import Path

from jcarerun.errors import UserError, one_line

# What a signature is for: one for anything else is none of ours.
NAMESPACE = "jca-rerun"


def signature_of(archive: Path) -> Path:
    """Where the signature of an archive lies."""
    return archive.with_name(f"{archive.name}.sig")


def _ssh_keygen(*words: str | Path, text: bytes) -> subprocess.CompletedProcess:
    command = ["ssh-keygen", "-Y", *map(str, words)]
    try:
        return subprocess.run(command, input=text, capture_output=True, env={**os.environ, "LC_ALL": "C"})
    except FileNotFoundError:
        raise UserError("ssh-keygen: there is no such command here; install openssh-client") from None


def _said(done: subprocess.CompletedProcess) -> str:
    """What ssh-keygen said, in a line."""
    lines = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return one_line(lines[-1])[:200] if lines else "it said nothing"


def sign(manifest: Path, key: Path, archive: Path) -> Path:
    """Write the signature of an archive's manifest beside the archive. Raises UserError where the key can't sign."""
    if not key.is_file():
        raise UserError(f"{key}: there is no such key; make one with ssh-keygen -t ed25519, or name another with KEY=")
    done = _ssh_keygen("sign", "-f", key, "-n", NAMESPACE, text=manifest.read_bytes())
    if done.returncode:
        raise UserError(f"{key}: can't sign ({_said(done)}); name an SSH key that you may use")
    signature_of(archive).write_bytes(done.stdout)
    return signature_of(archive)


def check(manifest: Path, archive: Path, signers: Path) -> str:
    """The signer of an archive's manifest. Raises UserError unless it is signed by one of those listed."""
    for file, remedy in (
        (signers, "a line each: name, key type, key"),
        (signature_of(archive), "ask for it: make sign makes it"),
    ):
        if not file.is_file():
            raise UserError(f"{file}: there is no such file; {remedy}")
    found = _ssh_keygen("find-principals", "-s", signature_of(archive), "-f", signers, text=b"")
    names = found.stdout.decode(errors="replace").splitlines()
    if found.returncode or not names:
        raise UserError(
            f"{signature_of(archive)}: is by none of the signers in {signers} ({_said(found)}); don't use {archive}"
        )
    done = _ssh_keygen(
        "verify",
        "-f",
        signers,
        "-I",
        names[0],
        "-n",
        NAMESPACE,
        "-s",
        signature_of(archive),
        text=manifest.read_bytes(),
    )
    if done.returncode:
        raise UserError(
            f"{signature_of(archive)}: is no signature of this archive's manifest ({_said(done)}); don't use {archive}"
        )
    return one_line(names[0])
