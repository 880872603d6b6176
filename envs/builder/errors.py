"""Errors for people: one line that says where, what was found, what was expected and the mend."""

import sys
from collections.abc import Callable


class UserError(Exception):
    """A mistake somebody can mend. Its text is the one line they see; it never comes with a stack trace."""


def entry_point(main: Callable[[], None]) -> None:
    """Run `main`; print a UserError as one line on standard error and exit with status 2."""
    try:
        main()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
