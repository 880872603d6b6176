"""What the analysis is told of a run."""

import re
from pathlib import Path

from bench.run import run


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
