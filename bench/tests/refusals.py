"""What tests expect of a refusal: one line that has these words."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from jcarerun.errors import UserError


@contextmanager
def refused(*words: str) -> Iterator[None]:
    """Expect a UserError of one line with all of these words."""
    with pytest.raises(UserError) as caught:
        yield
    message = str(caught.value)
    assert "\n" not in message
    assert all(each in message for each in words), message
