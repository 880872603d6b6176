"""What every check of an experiment file needs: to refuse a value in one line, and to look whether a name is known."""

from collections.abc import Iterable
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.yamlfile import nearest


def listed(names: str | list[str]) -> list[str]:
    """A name, or a list of names, as a list."""
    return [names] if isinstance(names, str) else names


class Checker:
    """A file under examination."""

    def __init__(self, path: Path):
        self.path = path

    def refuse(self, place: str, message: str) -> UserError:
        """The complaint about a key; to be raised."""
        return UserError(f"{self.path}: {place}: {message}")

    def known(self, place: str, names: Iterable[str], known: Iterable[str], what: str) -> None:
        """Raise unless every name is among the known ones."""
        known = list(known)
        for name in names:
            if name not in known:
                raise self.refuse(place, f"{name!r} is no {what}; {nearest(name, known)}")
