"""Whether what should be a GC log is one, and of the JVM that gave the fork's result. What it says is the analysis' to read."""

import re
from pathlib import Path

from jcarerun.rounds import tree
from jcarerun.rounds.damage import Damage

MOST_BYTES = 1 << 30

# The unified log from JDK 9 on, decorated with time, uptime, level and tags; JDK 8's opens with the JVM's name.
_UNIFIED = re.compile(rb"\[[0-9T:.+-]{20,40}\]\[[0-9]+\.[0-9]{3}s\]\[[a-z]+ *\]\[[a-z0-9,_ ]+\] ?")
_OLD = re.compile(rb"[^\n]{0,200} VM \(([^)\s]+)\) for ")
_VERSION = re.compile(rb"\] Version: (\S+) ")


def check(folder: Path, name: str, version: str | None) -> None:
    """Raise Damage unless a file is a GC log of HotSpot, and of that version where both tell one."""
    content = tree.read(folder, name, MOST_BYTES)
    if not content:
        raise Damage(name, "is empty, a GC log expected")
    if b"\0" in content:
        raise Damage(name, "holds bytes that no GC log has")
    told = None
    if old := _OLD.match(content):
        told = old.group(1)
    else:
        for number, line in enumerate(content.splitlines(), start=1):
            if not _UNIFIED.match(line):
                raise Damage(name, f"line {number}: is no line of a GC log")
        if found := _VERSION.search(content):
            told = found.group(1)
    if told and version and told.decode("ascii", "replace") != version:
        raise Damage(name, f"is of a JVM of version {told.decode('ascii', 'replace')}, the fork's result of {version}")
