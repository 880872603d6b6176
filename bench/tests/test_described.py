"""What the analysis is told of a run."""

import re
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.run import run


def test_a_report_says_where_its_files_lie_without_a_machines_own_names(tmp_path):
    found = re.search(r"```yaml\n(.+?)```", Path("docs/own-study.md").read_text(), re.DOTALL)
    study = tmp_path / "study"
    study.mkdir()
    (study / "hashes.yaml").write_text(found[1])

    def kept(**config):
        return run.from_config({"calibration": False, **config}).definitions()["kept"]

    own = {"raw": "data/raw", "tidy": "data/tidy", "report": "report/report.html"}
    assert kept(experiments=["phenry2014"]) == own
    beside = {"raw": "results/raw", "tidy": "results/tidy", "report": "results/report.html"}
    assert kept(experiment_dir=str(study)) == beside
    assert kept(raw="data/sample")["raw"] == "data/sample"


def test_of_somebody_elses_rounds_those_of_the_experiments_named_are_reported_on():
    def paths(*names):
        return run.from_config({"raw": "data/sample", "experiments": list(names)}).round_paths()

    every, some = paths(), paths("phenry2014")
    assert {path.split("/")[0] for path in every} == {"calibration", "phenry2014", "stegerer2008"}
    assert some == [path for path in every if not path.startswith("stegerer2008")]
    with pytest.raises(UserError, match=r"raw=data/sample: holds no round of experiments=\[kofahi2013\]"):
        run.from_config({"raw": "data/sample", "experiments": ["kofahi2013"], "calibration": False}).round_paths()
