"""Reading YAML: every complaint is one line with file, key, value and remedy."""

import pytest

from envs.support.errors import UserError
from envs.support.yamlfile import check, load, nearest

SCHEMA = """
type: object
additionalProperties: false
required: [size]
properties:
  size: {type: integer, minimum: 1, remedy: write a whole number of 1 or more}
  name: {type: string}
  limit: {type: number}
"""


def complaint(tmp_path, text):
    file, schema = tmp_path / "x.yaml", tmp_path / "x.schema.yaml"
    file.write_text(text)
    schema.write_text(SCHEMA)
    with pytest.raises(UserError) as caught:
        check(load(file), schema, file)
    message = str(caught.value)
    assert "\n" not in message
    assert "x.yaml" in message
    return message


def test_broken_yaml_names_line(tmp_path):
    assert "line 2" in complaint(tmp_path, "size: 1\n  name: [a\n")


def test_key_given_twice_is_refused(tmp_path):
    assert "'size' stands twice" in complaint(tmp_path, "size: 1\nsize: 2\n")


def test_unknown_key_comes_with_the_likeliest_one(tmp_path):
    assert "did you mean 'size'" in complaint(tmp_path, "size: 1\nsizes: 2\n")


def test_missing_key_is_named(tmp_path):
    assert "size: missing" in complaint(tmp_path, "name: a\n")


def test_wrong_value_is_shown_with_the_remedy(tmp_path):
    message = complaint(tmp_path, "size: -5\n")
    assert "size: -5" in message
    assert "write a whole number of 1 or more" in message


@pytest.mark.parametrize("value", ["3.0", "true", ".inf"])
def test_a_whole_number_is_written_as_one(tmp_path, value):
    """`rounds: 3.0` once passed here, and came to a stack trace later."""
    assert "write a whole number of 1 or more" in complaint(tmp_path, f"size: {value}\n")


@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf"])
def test_a_number_is_finite(tmp_path, value):
    """A gate's limit of `.nan` once switched the gate off."""
    assert "limit" in complaint(tmp_path, f"size: 1\nlimit: {value}\n")


def test_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        load(tmp_path / "absent.yaml")


def test_not_utf8_is_named(tmp_path):
    (tmp_path / "x.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="UTF-8"):
        load(tmp_path / "x.yaml")


def test_nearest_lists_all_when_nothing_is_close():
    assert nearest("zzz", ["AES", "DES"]) == "known: AES, DES"
