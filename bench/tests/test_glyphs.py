"""A text in any script is shown in the PDF, or refused with the plan; what machines of others are called is always shown."""

import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from jcarerun import pdf
from jcarerun.errors import UserError
from jcarerun.plan import definitions
from jcarerun.support import glyphs

SHOWN = ("plain", "é ü ß", "Ωμέγα", "Привет", "שלום", "≥ ± √ µs", "naïve “quoted” dash…")
NOT_SHOWN = ("中文", "ひらがな", "한국어", "😀", "👨‍👩‍👧", "ไทย")


@pytest.mark.parametrize("text", SHOWN)
def test_letters_of_these_scripts_are_shown(text):
    assert glyphs.missing([text]) == []


@pytest.mark.parametrize("text", NOT_SHOWN)
@pytest.mark.parametrize("place", ["title", "claim", "author", "level"])
def test_others_are_refused_with_the_plan(kofahi, write, registry, place, text):
    if place == "title":
        kofahi["title"] = text
    elif place == "claim":
        next(iter(kofahi["claims"].values()))["text"] = f"DES is {text}"
    elif place == "author":
        kofahi["study"]["authors"] = text
    else:
        name, levels = next(iter(kofahi["factors"].items()))
        kofahi["factors"][name] = {**levels, text: next(iter(levels.values()))}
    with pytest.raises(UserError, match=r"kofahi2013.yaml: .* the fonts of the report lack") as caught:
        definitions.read(write(kofahi), registry)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("code", ["\u202e", "\u2066", "\x1b[31m", "\x07", "\u2028"])
def test_a_text_that_is_not_shown_as_it_was_written_is_refused(tmp_path, registry, kofahi, code):
    kofahi["title"] = f"a{code}b"
    file = tmp_path / "kofahi2013.yaml"
    file.write_text(yaml.safe_dump(kofahi, allow_unicode=True))
    with pytest.raises(UserError, match="control character"):
        definitions.read(file, registry)


def test_a_text_that_fills_pages_is_refused(kofahi, write, registry):
    kofahi["title"] = "long " * 1000
    with pytest.raises(UserError, match="has 5000 characters, 3000 at most"):
        definitions.read(write(kofahi), registry)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.lists(st.text(max_size=8), max_size=4))
def test_what_is_substituted_is_shown(texts):
    kept = [glyphs.substitute(text, glyphs.missing([text])) for text in texts]
    assert glyphs.missing(kept) == []


def test_names_of_others_machines_stand_in_the_report_by_numbers(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/meta.json").write_text(json.dumps({"system": "银河麒麟 10"}, ensure_ascii=False))
    shown = pdf._showable(tmp_path / "tables", tmp_path / "copy")
    assert json.loads((shown / "meta.json").read_text()) == {"system": "[U+94F6][U+6CB3][U+9E92][U+9E9F] 10"}
    (tmp_path / "tables/meta.json").write_text("{}")
    assert pdf._showable(tmp_path / "tables", tmp_path / "again") == tmp_path / "tables"
