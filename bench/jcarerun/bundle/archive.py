"""A directory as a zip: the same bytes from the same files, by the same version of Python's zlib."""

import shutil
import zipfile
from pathlib import Path

from jcarerun.support.files import atomic_file


def write(folder: Path, target: Path) -> None:
    """Pack all files of a directory, by name; the zip is there whole or not at all."""
    with atomic_file(target) as part, zipfile.ZipFile(part, "w") as archive:
        for name in sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()):
            member = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            member.create_system, member.external_attr = 3, 0o100644 << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            with (folder / name).open("rb") as file, archive.open(member, "w") as packed:
                shutil.copyfileobj(file, packed)
