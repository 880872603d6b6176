"""Pages of results that scripts keep."""

from jcarerun.trials import tables


def test_a_section_takes_the_place_of_its_earlier_self_and_of_no_other(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\nWords.\n")
    tables.write(page, "One", tables.table(["a"], [[1]]))
    tables.write(page, "One and more", "text")
    tables.write(page, "One", tables.table(["a"], [["x\ny"]]))
    assert page.read_text() == "# Page\n\nWords.\n\n## One\n\n| a |\n| --- |\n| x\\ny |\n\n## One and more\n\ntext\n"
