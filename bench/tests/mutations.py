"""Files of ours, spoilt as people and broken disks spoil them, and what must be true of whatever reads them.

A reader accepts a file, or raises a UserError of one line that names it; and it does so within seconds.
"""

import copy
import json
import os
import signal
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from jcarerun.errors import MOST_CHARS, UserError

# `EXAMPLES=10000 pytest -k spoilt` looks further; without it each test tries the same few cases every time.
EXAMPLES = int(os.environ.get("EXAMPLES", "0"))
LONGEST_S, MOST_LINES = 10, 10


def _cases(most: int) -> settings:
    return settings(
        max_examples=most,
        derandomize=not EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


few = _cases(EXAMPLES or 40)
# Of files that are read with all that hangs on them, which takes ten times as long; and of those that R reads.
fewer = _cases(EXAMPLES // 16 or 40)
fewest = _cases(EXAMPLES // 16 or 10)


HOSTILE_VALUES = st.sampled_from([
    None, True, False, 0, -1, 3.0, 0.5, 10**30, -(10**6), 3_000_000, float("nan"), float("inf"), "", " ", "3",
    "a\nb", "a\tb", "\x1b[31m", "../../etc/passwd", "/dev/zero", "-rf", "x" * 300, "x" * 5000, "é", "\u2028",
    "{}", "%s", "{0}", "$(id)", "a,b", '"', "<a><a>", [], {}, [[]], [{}], [1, 2], ["a", "a"], {"a": {}},
    [[[[[[]]]]]], [None],
])  # fmt: skip
_BOMB = "".join(
    f"{name}: &{name} [{','.join(['*' + inside] * 9)}]\n" for name, inside in zip("bcdefgh", "abcdefg", strict=True)
)
HOSTILE_TEXTS = st.sampled_from([
    "\x00", "\x07", "\x1b", "\ufeff", "\u2028", "\r", "\t", "\n", "&a [*a]", "*none", "&a ", "*a", "!x ", "!!bool x",
    "!!python/object:os.system x", "!!timestamp x", "!!int ''", "? [a]\n: b\n", "[" * 2000, "{" * 2000, "- " * 500,
    "9" * 4300, "0x_", "0b_", "1:2:3", "010", "2013-13-45", "<<: *a\n", "<<: [{}]\n", "=", "%YAML 9.9\n", "---\n",
    "...\n", '"\\ud800"', '"\\UFFFFFFFF"', '"\\x00"', "'", '"', "#", ": ", "|\n", f"a: &a [x]\n{_BOMB}",
])  # fmt: skip


@st.composite
def text(draw: Callable, original: str) -> str:
    """A text with a few lines or characters removed, doubled, swapped or put in."""
    lines = original.splitlines(keepends=True)
    for _ in range(draw(st.integers(1, 3))):
        at, other = (draw(st.integers(0, max(len(lines) - 1, 0))) for _ in range(2))
        line = lines[at] if lines else ""
        column = draw(st.integers(0, len(line)))
        put = draw(HOSTILE_TEXTS | st.text(max_size=8))
        lines[at : at + 1] = draw(
            st.sampled_from([[], [line, line], [lines[other]] if lines else [], [line[:column] + put + line[column:]],
                             [line[:column] + put + "\n"], [line[:column]], ["  " + line]])
        )  # fmt: skip
    return "".join(lines)


def _places(value: Any, path: tuple = ()) -> list[tuple]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inside for place in _places(each, (*path, key)))]


@st.composite
def tree(draw: Callable, original: Any) -> Any:
    """A parsed file with a value or two replaced, removed or renamed."""
    found = {"top": copy.deepcopy(original)}
    for _ in range(draw(st.integers(1, 2))):
        *way, last = draw(st.sampled_from(_places(found)[1:]))
        inside = found
        for key in way:
            inside = inside[key]
        what = draw(st.sampled_from(["value", "value", "value", "remove", "rename", "copy"]))
        if what == "remove" and way:
            del inside[last]
        elif what == "rename" and isinstance(inside, dict) and way:
            inside[draw(st.sampled_from(["", "x\ny", "y" * 300, "-", "A b", 5, None, True, 1.5]))] = inside.pop(last)
        elif what == "copy" and isinstance(inside[last], list) and inside[last]:
            inside[last] = inside[last] * 2
        else:
            inside[last] = copy.deepcopy(draw(HOSTILE_VALUES))
    return found.get("top")


def yaml_text(original: str) -> st.SearchStrategy[str]:
    """A YAML file, spoilt as a text or as what it says."""
    spoilt = tree(yaml.safe_load(original)).map(
        lambda found: yaml.safe_dump(found, sort_keys=False, allow_unicode=True)
    )
    return text(original) | spoilt


HOSTILE_BYTES = st.sampled_from([
    b"", b"\0", b"\xff\xfe", b"\x1b[2J", b"\n", b"\r\n", b",", b"\t", b'"', b"'", b"-1", b"1e999", b"NaN", b"9" * 400, b"0",
    b"99999999999999999999", b"\xe2\x80\xae", b"../../etc/passwd", b"/dev/zero", b"{" * 3000, b"[" * 3000, b"null", b"[]", b"{}",
    b"true", b"x" * 70_000, b" " * 5000, b"a,b,c\n" * 2000, b"%s%n", b"$(id)", b"::" * 5000, b"(" * 5000, b"\\" * 2000,
])  # fmt: skip


@st.composite
def spoilt_bytes(draw: Callable, content: bytes) -> bytes:
    """Bytes with up to three changes: as a text, of some bytes, of a line or a field of one, cut short, or others altogether."""
    for _ in range(draw(st.integers(1, 3))):
        lines, at = content.split(b"\n"), draw(st.integers(0, len(content)))
        row, put = draw(st.integers(0, len(lines) - 1)), draw(HOSTILE_BYTES | st.binary(max_size=8))
        what = draw(st.sampled_from(["text", "bytes", "lines", "field", "cut", "other"]))
        if what == "text":
            content = draw(text(content.decode("utf-8", "replace"))).encode("utf-8", "surrogatepass")
        elif what == "bytes":
            content = content[:at] + put + content[at + draw(st.integers(0, 9)) :]
        elif what == "lines":
            content = b"\n".join(
                lines[:row] + lines[row : row + 1] * draw(st.sampled_from([0, 2, 500])) + lines[row + 1 :]
            )
        elif what == "field":
            parts = lines[row].split(draw(st.sampled_from([b",", b"\t", b":", b" "])))
            parts[draw(st.integers(0, len(parts) - 1))] = put
            content = b"\n".join([*lines[:row], b",".join(parts), *lines[row + 1 :]])
        else:
            content = content[:at] if what == "cut" else draw(st.binary(max_size=200))
    return content


def spoilt_file(content: bytes, suffix: str) -> st.SearchStrategy[bytes]:
    """A file's bytes, spoilt as such; of JSON and YAML also as what they say."""
    if suffix not in (".json", ".yaml"):
        return spoilt_bytes(content)
    return spoilt_bytes(content) | tree(yaml.safe_load(content)).map(lambda found: json.dumps(found).encode())


@contextmanager
def _within(seconds: int) -> Any:
    def too_long(*_: object) -> None:
        raise TimeoutError(f"took more than {seconds} s")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def accepted_or_refused(read: Callable[[], Any], name: str) -> bool:
    """Whether a file is read, or else refused in a few bounded lines that name it. Fails for any other end."""
    with _within(LONGEST_S):
        try:
            read()
            return True
        except UserError as error:
            messages = error.texts
    for message in messages:
        assert message.isprintable() and len(message) <= MOST_CHARS
        assert name in message, message
    assert 1 <= len(messages) <= MOST_LINES
    return False


def refusal(work: Callable[..., Any], *arguments: object) -> str:
    """The one line with which `work` refuses something."""
    with pytest.raises(UserError) as caught:
        work(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)
