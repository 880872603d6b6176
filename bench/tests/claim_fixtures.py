"""Records the rows of claim_pairs.csv that tests of the analysis need: `python bench/tests/claim_fixtures.py [PATTERN]`.

In: requests of the R tests (analysis/tests/testthat/helper-claims.R). Out: fixtures/claim_pairs.json beside them. The tests run
until no request is new.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from jcarerun.plan import claim_pairs, claim_resolver, forms
from jcarerun.plan.claim_rows import MeasuredCell
from jcarerun.plan.environments import EnvironmentWords
from jcarerun.support.yamlfile import listed

FIXTURES = Path("analysis/tests/testthat/fixtures")
RECORDED, REQUESTS = FIXTURES / "claim_pairs.json", FIXTURES / "requests"


def _experiment(experiment: dict) -> dict:
    """An experiment as R writes it: an empty list is an empty mapping, and a list of one is its element."""
    claims = {name: _claim(claim) for name, claim in (experiment.get("claims") or {}).items()}
    workloads = {
        name: {**each, "factors": listed(each.get("factors") or [])}
        for name, each in (experiment.get("workloads") or {}).items()
    }
    for each in workloads.values():
        if "protocols" in each:
            each["protocols"] = listed(each["protocols"])
    factors = {
        name: {level: own or {} for level, own in each.items()}
        for name, each in (experiment.get("factors") or {}).items()
    }
    providers = listed(experiment.get("providers") or [])
    return {**experiment, "claims": claims, "workloads": workloads, "factors": factors, "providers": providers}


def _claim(claim: dict) -> dict:
    lists = {key: listed(claim[key]) for key in ("each", "measures") if claim.get(key)}
    mappings = {key: claim.get(key) or {} for key in ("parameters", "among") if key in claim}
    return {"text": "", **claim, **lists, **mappings}


def answer(request: dict) -> dict:
    """The decisions of a request's claims, and its rows as lines of claim_pairs.csv."""
    experiments, registered = [_experiment(each) for each in request["experiments"]], forms.read()
    words = EnvironmentWords(request["environments"])
    cells: dict[str, list[MeasuredCell]] = {}
    columns = request["cells"]["columns"]
    for values in request["cells"]["rows"]:
        row = dict(zip(columns, values, strict=True))
        factors = {
            name.removeprefix("factor."): level for name, level in row.items() if name.startswith("factor.") and level
        }
        levels = words.levels(row["environment"], row["workload"], row["provider"], row["cpu_profile"], factors)
        cells.setdefault(row["experiment"], []).append(
            MeasuredCell(row["environment"], row["image_id"], row["machine_id"], row["protocol"], row["cell"], levels)
        )
    features = {name: each["features"] or {} for name, each in (request["providers"] or {}).items()}
    features = {name: {key: listed(own) for key, own in each.items()} for name, each in features.items()}
    rows = claim_resolver.resolve(experiments, registered, words, cells, features)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "claim_pairs.csv"
        claim_pairs.write(file, rows)
        lines = file.read_text().splitlines()
    decided = [claim_pairs.with_decisions(each, registered, words)["claims"] for each in experiments]
    decisions = [{name: claim["decision"] for name, claim in claims.items()} for claims in decided]
    return {"decisions": decisions, "pairs": lines}


def write(recorded: dict[str, dict]) -> None:
    """Write the fixture, a line for each request."""
    lines = [f"{json.dumps(key)}: {json.dumps(recorded[key], separators=(',', ':'))}" for key in sorted(recorded)]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main(pattern: list[str]) -> None:
    """Run the tests of the analysis and record what they request, until nothing new is requested."""
    recorded = json.loads(RECORDED.read_text()) if RECORDED.is_file() and pattern else {}
    command = [sys.executable, "-m", "jcarerun", "images", "analyse", "--write", str(REQUESTS), "--"]
    try:
        while True:
            REQUESTS.mkdir(parents=True, exist_ok=True)
            subprocess.run([*command, "Rscript", "analysis/tests/run.R", *pattern], check=False)
            new = {file.stem: json.loads(file.read_text()) for file in REQUESTS.glob("*.json")}
            if not new:
                return
            recorded |= {key: {"request": request, **answer(request)} for key, request in new.items()}
            write(recorded)
            shutil.rmtree(REQUESTS)
    finally:
        shutil.rmtree(REQUESTS, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
