"""The page of what is done otherwise than in the studies."""

from pathlib import Path

from jcarerun.results import other_pages
from jcarerun.support.yamlfile import load

EXPERIMENTS = sorted(Path("bench/experiments").glob("*.yaml"))


def test_every_choice_of_every_experiment_is_on_the_page_below_its_study():
    text = "\n".join(other_pages.departures(EXPERIMENTS))
    sections = {part.partition("\n")[0]: part for part in text.split("\n## ")}
    for content in map(load, EXPERIMENTS):
        for choice in content["choices"]:
            said = choice["here"] if isinstance(choice, dict) else choice
            assert " ".join(said.split()).replace("|", "\\|") in sections[content["study"]["id"]]


def test_a_study_of_several_files_has_one_table():
    text = "\n".join(other_pages.departures(EXPERIMENTS))
    part = next(part for part in text.split("\n## ") if part.startswith("stegerer2008\n"))
    assert part.count("| the study |") == 1
