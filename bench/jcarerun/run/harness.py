"""The part of the benchmark jar that runs rounds, as a jar of its own: put beside somebody else's benchmarks and their JMH.

In: the benchmark jar. Out: a jar without JMH and without our list of benchmarks, the same bytes from the same jar.
"""

import re
import zipfile
from pathlib import Path

from jcarerun.support.files import atomic_file

# What runs a round and what looks into a fork, with what both use.
_TAKEN = re.compile(r"jcarerun/(?:(?:round|probe)/)?[^/]+\.class")


def write(jar: Path) -> Path:
    """Write the harness beside the benchmark jar, unless it is there and newer; return where it is."""
    target = jar.with_name("harness.jar")
    if target.is_file() and target.stat().st_mtime_ns > jar.stat().st_mtime_ns:
        return target
    with (
        atomic_file(target) as part,
        zipfile.ZipFile(jar) as whole,
        zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as own,
    ):
        for name in sorted(filter(_TAKEN.fullmatch, whole.namelist())):
            own.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), whole.read(name))
    return target
