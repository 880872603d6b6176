"""`--config`: a misspelt key or value is refused before anything starts."""

import pytest

from bench.harness import settings
from envs.builder.errors import UserError


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"teir": "smoke"}, "did you mean 'tier'"),
        ({"tier": "quikc"}, "did you mean 'quick'"),
        ({"engine": "dokcer"}, "did you mean 'docker'"),
        ({"seed": -1}, "whole number"),
        ({"seed": "x"}, "whole number"),
        ({"memory": 10}, "1024 or more"),
        ({"experiments": 5}, "list of names"),
        ({"raw": "no/such/place"}, "no such directory"),
    ],
)
def test_refused(config, words):
    with pytest.raises(UserError, match=words) as caught:
        settings.read(config)
    assert "\n" not in str(caught.value)


def test_defaults():
    assert settings.read({}).tier == "quick"
    assert settings.read({}).engine == "docker"


def test_one_name_is_a_list_of_one():
    assert settings.read({"experiments": "kofahi2013"}).experiments == ("kofahi2013",)
