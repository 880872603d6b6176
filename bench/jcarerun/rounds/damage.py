"""How a check says what is wrong in a round: the file and what it is, made one line for a person where it is known who asks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.files import where

RESTORE = "restore the round from where it was measured, or remove it and measure it again"


class Damage(Exception):
    """A file of a round that is not as it must be: its name within the round, and what is wrong, in words."""

    def __init__(self, name: str, what: str):
        super().__init__(f"{name}: {what}")


@contextmanager
def told(folder: Path, remedy: str) -> Iterator[None]:
    """Turn what is raised within into a UserError that names the round's directory and the remedy."""
    try:
        yield
    except Damage as damage:
        raise UserError(f"{where(folder)}/{damage}{_and(remedy)}") from None
    except UserError as error:  # of a file that can't be read
        raise UserError(f"{error}{_and(remedy)}") from None


def _and(remedy: str) -> str:
    return f"; {remedy}" if remedy else ""
