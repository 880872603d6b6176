"""Which names the files of a round may have: the one set that containers, kits, zips and manifests are held against.

A name is relative to the round's directory, with `/` between its parts. Whatever is not of the set is refused, so that a name
can neither lead out of a round (`..`, `/etc`) nor forge a line of a message or of a manifest.
"""

import re
from dataclasses import dataclass

MANIFEST = "manifest.sha256"

_FORK = r"(?:[0-9]{3}|[1-9][0-9]{3,4})"
_ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
ID = re.compile(_ID)

# What a round is given before its forks run. Its forks must leave it as it is.
_GIVEN = (r"cells\.csv", r"forks\.tsv", r"gates\.tsv", rf"jvm/java-{_ID}")
_LEFT = (
    r"commands\.txt", r"offered\.csv", r"iterations\.csv", r"interference\.csv", r"observations\.csv", r"limits\.txt",
    rf"jmh/{_FORK}\.(?:json|txt)", rf"jmh/{_FORK}-frozen\.txt", rf"gc/{_FORK}(?:-server)?\.log",
    rf"jit/{_FORK}\.(?:log\.gz|stacks)", r"jvm/version\.txt", rf"jvm/flags-{_ID}\.txt", r"tls/[a-z]+-[0-9]+\.p12",
)  # fmt: skip
# What is written about a round by whoever ran it, outside of what its forks can write to.
_ABOUT = (
    r"round\.json",
    r"plan\.json",
    r"environment\.json",
    r"audit\.json",
    r"console\.log",
    r"chain\.csv",
    r"compilations\.csv",
    r"manifest\.sha256",
)
# What a kit's machine said of itself, as it said it: copies of files below /etc, /proc and /sys, and lists of key=value lines.
_PART = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,60}"
_CAPTURED = (
    r"machine/(?:round|host|before|after)\.txt",
    rf"machine/(?:host|before|after)/(?:etc|proc|sys)(?:/{_PART}){{1,8}}",
)
_OF_CRASH = (r"(?:hs_err|replay)_pid[0-9]{1,9}\.log",)
_FOLDERS = rf"jmh|gc|jvm|jit|tls|machine(?:/(?:host|before|after)(?:/(?:etc|proc|sys)(?:/{_PART}){{0,7}})?)?"


@dataclass(frozen=True)
class Names:
    """A set of names. what: a file of it, in words, for the refusal of another."""

    files: re.Pattern
    folders: re.Pattern
    what: str

    def file(self, name: str) -> bool:
        """Whether a file may have that name."""
        return self.files.fullmatch(name) is not None

    def folder(self, name: str) -> bool:
        """Whether a directory may have that name."""
        return self.folders.fullmatch(name) is not None


def _names(what: str, *patterns: str) -> Names:
    return Names(re.compile("|".join(patterns)), re.compile(_FOLDERS), what)


ROUND = _names("file of a round", *_GIVEN, *_LEFT, *_ABOUT, *_CAPTURED)
# A round as a kit leaves it: its records are made when it is imported.
CAPTURED = _names("file of a kit's round", *_GIVEN, *_LEFT, *_CAPTURED, r"console\.log", r"manifest\.sha256")
# What forks may leave in the directory that is theirs to write in; and what there may be besides where a JVM crashed.
FORKS = _names("file that a round's forks leave", *_GIVEN, *_LEFT)
FAILED = _names("file that a round's forks leave", *_GIVEN, *_LEFT, *_OF_CRASH)
# The rounds that a kit sends back, each in its place.
KIT = Names(
    re.compile(f"{_ID}/{_ID}/{_ID}/(?:{CAPTURED.files.pattern})"),
    re.compile(f"{_ID}(?:/{_ID}){{0,2}}|{_ID}/{_ID}/{_ID}/(?:{_FOLDERS})"),
    "file of <experiment>/kit-<machine>/<round>/",
)
