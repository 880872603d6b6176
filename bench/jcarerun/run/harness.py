"""The part of the benchmark jar that runs rounds, as a jar of its own: put beside somebody else's benchmarks and their JMH.

In: the benchmark jar. Out: a jar without JMH and without our list of benchmarks, the same bytes from the same jar.
"""

import io
import re
import zipfile
from pathlib import Path

from jcarerun.support.files import write_file

# What runs a round and what looks into a fork, with what both use.
_TAKEN = re.compile(r"jcarerun/(?:(?:round|probe)/)?[^/]+\.class")


def write(jar: Path) -> Path:
    """Write the harness beside the benchmark jar, unless the same bytes are there; return where it is."""
    target, made = jar.with_name("harness.jar"), io.BytesIO()
    with zipfile.ZipFile(jar) as whole, zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as own:
        for name in sorted(filter(_TAKEN.fullmatch, whole.namelist())):
            own.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), whole.read(name))
    if not target.is_file() or target.read_bytes() != made.getvalue():
        write_file(target, made.getvalue())
    return target
