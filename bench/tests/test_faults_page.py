"""The page of faults (report/results/faults.md) names for each finding the tests that hold it: each of them is there."""

import ast
import re
from functools import cache
from pathlib import Path

PAGE = Path("report/results/faults.md")
ROW = re.compile(r"^\| (\d+) \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w/-]+\.py)::(test_\w+)(?:\[([^\]`]+)\])?`")


@cache
def functions_of(file):
    return {each.name for each in ast.walk(ast.parse(Path(file).read_text())) if isinstance(each, ast.FunctionDef)}


def test_each_finding_has_tests_and_each_of_them_is_there():
    rows = ROW.findall(PAGE.read_text().partition("## Findings and their tests")[2])
    assert [int(number) for number, _ in rows] == list(range(1, len(rows) + 1))
    assert len(rows) == 9
    for number, cell in rows:
        named = TEST.findall(cell)
        assert named and len(named) == cell.count("::"), f"finding {number}: {cell}"
        for file, name, case in named:
            assert name in functions_of(file), f"finding {number}: {file}::{name} is gone"
            assert case in Path(file).read_text(), f"finding {number}: {file}::{name} has no case {case}"
