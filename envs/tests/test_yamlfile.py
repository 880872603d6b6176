"""Reading YAML: every complaint is one line with file, key, value and remedy."""

import os

import pytest

from jcarerun.errors import MOST_SHOWN, Complaints, UserError
from jcarerun.support.yamlfile import check, load, nearest

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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size: 1\n  name: [a\n", "line 2"),
        ("size: 1\nsize: 2\n", "'size' stands twice"),
        ("size: 1\nsizes: 2\n", "did you mean 'size'"),
        ("name: a\n", "size: missing"),
        ("size: -5\n", "size: -5 can't be used here; write a whole number of 1 or more"),
    ],
)
def test_what_is_wrong_is_named_with_the_remedy(tmp_path, text, words):
    assert words in complaint(tmp_path, text)


@pytest.mark.parametrize("value", ["3.0", "true", ".inf"])
def test_a_whole_number_is_written_as_one(tmp_path, value):
    """`rounds: 3.0` once passed here, and came to a stack trace later."""
    assert "write a whole number of 1 or more" in complaint(tmp_path, f"size: {value}\n")


@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf"])
def test_a_number_is_finite(tmp_path, value):
    """A gate's limit of `.nan` once switched the gate off."""
    assert "limit" in complaint(tmp_path, f"size: 1\nlimit: {value}\n")


BOMB = "".join(
    f"{name}: &{name} [{','.join(['*' + inside] * 9)}]\n" for name, inside in zip("bcdefgh", "abcdefg", strict=True)
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: a\x07\n", "line 1: has a control character"),
        ('size: 1\nname: "a\\x1b[31m"\n', r"line 2: 'a\x1b[31m' has a control character"),
        ('name: "a\\nerror: all is well"\n', "has a line break; write it in one line"),
        ('name: "\\ud800"\n', "broken YAML"),
        ('name: "\\UFFFFFFFF"\n', "broken YAML"),
        ("size: " + "[" * 100_000, "is nested more than 30 deep"),
        ("[a]: 1\n", "a list or a mapping is the key of an entry"),
        ("5: 1\n", "the key '5' is no text; put it in quotes"),
        ("k" * 101 + ": 1\n", "101 characters, 100 at most"),
        ("size: !!python/object/apply:os.system [id]\n", "is not known here; remove it"),
        ("size: !!timestamp x\n", "is not known here"),
        ("name: 2013-13-45\n", "'2013-13-45' would be read as a timestamp; put it in quotes"),
        ("name: &a {x: 1}\n<<: *a\n", "would be read as a merge"),
        ("size: " + "9" * 4300 + "\n", "is no plain number"),
        ("size: 010\n", "'010' is no plain number"),
        ("size: 1:30\n", "'1:30' is no plain number"),
        (f"a: &a [1]\n{BOMB}", "stands for more than 10000 values"),
        ("a: &a [*a]\n", "the alias *'a' stands inside of what it stands for"),
        ("name: [" + "1," * 1001 + "]\n", "has 1001 entries, 1000 at most"),
        ("size: 1\n---\nsize: 2\n", "broken YAML"),
        ("# " + "x" * (300 << 10) + "\n", "larger than 256 KiB"),
    ],
)
def test_what_once_ended_in_a_stack_trace_or_never(tmp_path, text, words):
    message = complaint(tmp_path, text)
    assert words in message
    assert len(message) <= 400


def test_all_mistakes_of_a_file_are_named_at_once(tmp_path):
    (tmp_path / "s.yaml").write_text(SCHEMA)
    (tmp_path / "x.yaml").write_text("sizes: 2\nname: 5\nlimit: big\nnome: a\n")
    with pytest.raises(UserError) as caught:
        check(load(tmp_path / "x.yaml"), tmp_path / "s.yaml", tmp_path / "x.yaml")
    assert [text.split(": ")[1] for text in caught.value.texts] == ["nome", "sizes", "size", "limit", "name"]


def test_an_over_long_value_is_cut(tmp_path):
    message = complaint(tmp_path, f"size: {'x' * 5000}\n")
    assert message.endswith("... can't be used here; write a whole number of 1 or more")
    assert len(message) < 300


def test_a_pipe_is_no_file_to_wait_for(tmp_path):
    os.mkfifo(tmp_path / "x.yaml")
    with pytest.raises(UserError, match="no plain file"):
        load(tmp_path / "x.yaml")


@pytest.mark.parametrize("name", ["n" * 300, "a\0b"])
def test_a_name_that_no_file_can_have(tmp_path, name):
    with pytest.raises(UserError, match="can't be read"):
        load(tmp_path / name)


def test_a_missing_file_and_one_that_is_not_utf8_are_named(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        load(tmp_path / "absent.yaml")
    (tmp_path / "x.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="UTF-8"):
        load(tmp_path / "x.yaml")


def test_nearest_lists_all_when_nothing_is_close():
    assert nearest("zzz", ["AES", "DES"]) == "known: AES, DES"


@pytest.mark.parametrize(
    ("keys", "shown", "last"),
    [
        (range(MOST_SHOWN), MOST_SHOWN, f"x.yaml: key {MOST_SHOWN - 1}: is wrong"),
        (range(MOST_SHOWN + 5), MOST_SHOWN + 1, "x.yaml: 5 more errors; correct these first"),
        ((0, 0), 1, "x.yaml: key 0: is wrong"),
    ],
    ids=["few", "many", "the same twice"],
)
def test_errors_of_several_parts_are_reported_at_once_and_many_are_counted(keys, shown, last):
    complaints = Complaints()
    for key in keys:
        with complaints.part():
            raise UserError(f"x.yaml: key {key}: is wrong")
    with pytest.raises(UserError) as caught:
        complaints.report()
    assert (len(caught.value.texts), caught.value.texts[-1]) == (shown, last)
