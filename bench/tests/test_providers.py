"""providers.yaml: one entry makes a provider; an entry that can't be trusted is refused."""

import pytest
import yaml

from bench.harness import providers
from envs.builder.errors import UserError


def read_with(tmp_path, entry):
    (tmp_path / "providers.schema.yaml").write_text(providers.FILE.with_suffix(".schema.yaml").read_text())
    file = tmp_path / "providers.yaml"
    file.write_text(yaml.safe_dump({**yaml.safe_load(providers.FILE.read_text()), "new": entry}))
    return providers.read(file)


JAR = {"label": "New", "jar": "a:b:1", "sha256": "ab" * 32, "class": "a.B", "offers": ["AES"]}


def test_a_new_provider_is_one_entry(tmp_path):
    new = read_with(tmp_path, JAR)["new"]
    assert new.jvm_argument("/p") == "-Djcarerun.provider.new=a.B@/p/new.jar"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sha256": None}, "new.sha256: missing"),
        ({"class": None}, "new.class: missing"),
        ({"installed": "X"}, "exactly one"),
        ({"sha256": "abc"}, "64 hex digits"),
        ({"jar": "a:b"}, "group:artifact:version"),
        ({"offers": None}, "new.offers: missing"),
    ],
)
def test_refused(tmp_path, change, words):
    entry = {key: value for key, value in {**JAR, **change}.items() if value is not None}
    with pytest.raises(UserError, match=words) as caught:
        read_with(tmp_path, entry)
    assert "\n" not in str(caught.value)
