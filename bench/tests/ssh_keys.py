"""Two SSH keys, of a signer and of a stranger, and the list of signers that has the first."""

import subprocess
from pathlib import Path


def _keygen(file: Path) -> Path:
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file], check=True, stdin=subprocess.DEVNULL
    )
    return file


def make(folder: Path) -> tuple[Path, Path, Path]:
    """The signer's key, the stranger's, and the list."""
    own, other = _keygen(folder / "own"), _keygen(folder / "other")
    (folder / "signers").write_text(
        f'maintainers@example.org namespaces="jca-rerun" {(folder / "own.pub").read_text()}'
    )
    return own, other, folder / "signers"
