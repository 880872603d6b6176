"""Studies of users: an environment that no claim needs, a larger budget, verdicts as the last lines, all errors at once."""

from pathlib import Path

import pytest
import yaml

from jcarerun.errors import UserError
from jcarerun.plan import definitions, scheduler
from jcarerun.run import plan_stage, run, verdict_lines

# A study of three environments whose only claim compares two of them.
STUDY = """
title: A hash on two JDKs of three
study: {id: hashes, authors: we, where: our question, then: Nothing was published.}
measure: wall
workloads:
  hash: {benchmark: Digest.digest, factors: [digest], params: {bytes: 1048576, content: fixed}, expected_us: 600}
factors:
  digest:
    SHA-256: {algorithm: SHA-256}
    BLAKE3: {algorithm: BLAKE3-256}
providers: [sunjce]
protocols:
  steady-state: {mode: average-time, warmup: steady-state, iterations: 20, iteration_ms: 200}
tiers:
  smoke: &tier {rounds: 5, environments: {jdk: [17, 21, 25]}}
  quick: *tier
  standard: *tier
  full: *tier
claims:
  H1:
    text: SHA-256 takes the same time on JDK 17 as on JDK 21
    place: our question
    form: ratio-below
    parameters: {limit: 1.02}
    ratios:
      - {numerator: {digest: SHA-256, jdk: 17}, denominator: {digest: SHA-256, jdk: "21"}}
"""
UNNEEDED = "debian-13-temurin-25"


@pytest.fixture
def study(tmp_path):
    (tmp_path / "hashes.yaml").write_text(STUDY)
    return tmp_path


def planned(study, minutes):
    return run.from_config({"experiment_dir": str(study), "minutes": minutes, "calibration": False})


def begin(current):
    """As a first round does: write which cells stage one has, and measure in the first environment."""
    scheduler.keep_first(current.stages[0])
    (current.folders.raw / current.first[0].path).mkdir(parents=True)


def environments(current):
    return {round_.environment for round_ in current.rounds}


def test_an_environment_that_no_claim_needs_has_no_rounds_until_there_is_time(study, monkeypatch):
    short = planned(study, 3)
    assert environments(short) == {"debian-13-temurin-17", "debian-13-temurin-21"}
    begin(short)
    later = planned(study, 3)
    assert environments(later) == environments(short)
    assert not any(UNNEEDED in path for path in later.round_paths())
    assert any(UNNEEDED in line for line in later.planner.summary(later.stages, 3, 100.0)), "what is left out is named"
    monkeypatch.setattr(plan_stage.interference, "undisturbed_cells", lambda folder: {})
    demanded = {
        family.split("/")[1]
        for wanted in plan_stage._unmeasured(later, later.folders.raw, [])
        for family, _ in wanted.forks
    }
    assert UNNEEDED in demanded, "it is measured while minutes are left"


def test_a_larger_budget_does_not_claim_to_keep_the_first_choice(study):
    begin(planned(study, 3))
    lines = planned(study, 30).planner.summary(planned(study, 30).stages, 30, 1800.0)
    assert any("later stages choose anew" in line for line in lines)
    assert any("then later stages" in line for line in lines)


def test_both_sides_of_a_claim_are_in_stage_one_together(study):
    for minutes in (1, 2, 3, 5):
        try:
            cells = {
                (round_.environment, cell.factors["digest"])
                for round_ in planned(study, minutes).first
                for cell in round_.cells
            }
        except UserError as error:
            assert "give" in str(error)
            continue
        sides = {("debian-13-temurin-17", "SHA-256"), ("debian-13-temurin-21", "SHA-256")}
        assert len(cells & sides) in (0, 2)


def test_a_jdk_is_named_by_its_version_and_what_a_provider_lacks_is_marked(study, registry):
    data = definitions.read(study / "hashes.yaml", registry)
    assert data["claims"]["H1"]["ratios"] == [
        {
            "numerator": {"digest": "SHA-256", "jdk": "temurin-17.0.9"},
            "denominator": {"digest": "SHA-256", "jdk": "temurin-21.0.8"},
        }
    ]
    assert data["not_offered"] == "mark"
    assert data["tiers"]["quick"]["environments"] == [f"debian-13-temurin-{java}" for java in (17, 21, 25)]


def test_what_the_project_measures_itself_is_refused_still(registry):
    for path in Path("bench/experiments").glob("*.yaml"):
        written = yaml.safe_load(path.read_text())
        assert definitions.read(path, registry).get("not_offered") == written.get("not_offered")


def test_all_errors_of_a_file_are_reported_at_once(study, registry):
    text = STUDY.replace("Digest.digest", "Digest.digets").replace("providers: [sunjce]", "providers: [sunjca]")
    text = text.replace("form: ratio-below", "form: ratio-belov").replace("iterations: 20, ", "")
    (study / "hashes.yaml").write_text(text)
    with pytest.raises(UserError) as caught:
        definitions.read(study / "hashes.yaml", registry)
    places = [text.split(": ")[1] for text in caught.value.texts]
    assert places == [
        "workloads.hash.benchmark", "protocols.steady-state.iterations", "providers", "claims.H1.form"
    ]  # fmt: skip


COMMAND = "jca-rerun reference-forks --experiments hashes"


def verdict(**more):
    row = {
        "experiment": "hashes", "claim": "H1", "variant": "", "environment": "", "verdict": "holds", "reason": "",
        "cause": "", "contrast": "c1", "estimate": "0.98765", "lower": "0.97", "upper": "1.01", "forks_min": "5",
        "forks_needed": "", **more,
    }  # fmt: skip
    return ",".join(row) + "\n" + ",".join(row.values()) + "\n"


@pytest.mark.parametrize(
    ("row", "valid", "words", "last"),
    [
        ({"verdict": next(iter(verdict_lines.DECIDED))}, "TRUE", ["0.988 [0.970, 1.01]", "SHA-256 takes"], None),
        (
            {"verdict": "undecided", "cause": "too wide"},
            "TRUE",
            ["undecided: 0.988 [0.970, 1.01] (too wide)"],
            "more runs would",
        ),
        ({"verdict": "undecided", "cause": "too few forks", "estimate": ""}, "TRUE", ["too few forks"], "minutes=18"),
        (
            {"verdict": "undecided", "reason": "every run was disturbed"},
            "FALSE",
            ["every run was disturbed"],
            "were disturbed",
        ),
    ],
)
def test_the_last_lines_are_the_verdicts_with_their_numbers_and_a_remedy(tmp_path, row, valid, words, last):
    (tmp_path / "verdicts.csv").write_text(verdict(**row))
    (tmp_path / "forks.csv").write_text(f"environment,cell,elapsed_ms,valid\ne,c,1000,{valid}\n")
    lines = verdict_lines.summary(tmp_path, {"hashes": yaml.safe_load(STUDY)}, 9, COMMAND)
    assert lines[0].startswith("H1") and all(word in lines[0] for word in words)
    assert len(lines) == (1 if last is None else 2) and (last is None or last in lines[-1])


@pytest.mark.parametrize(
    ("measured", "words"), [(["a"], COMMAND), (["a", "b"], "by more iterations in the experiment file")]
)
def test_where_reference_forks_are_measured_the_remedy_is_more_iterations(tmp_path, measured, words):
    stratum = {"environment": "e", "image_id": "i", "machine_id": "m", "protocol": "p", "cpu_profile": "native"}
    sides = {
        "numerator_environment": "e",
        "numerator_cell": "a",
        "denominator_environment": "e",
        "denominator_cell": "b",
    }
    text = verdict(verdict="undecided", cause="warm-up unproven", **stratum, **sides)
    for name in ("verdicts", "contrasts"):
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "forks.csv").write_text("environment,cell,elapsed_ms,valid\ne,a,1000,TRUE\n")
    cells = "".join(f"hashes,e,{cell}\n" for cell in measured)
    (tmp_path / "reference_forks.csv").write_text(f"experiment,environment,cell\n{cells}")
    lines = verdict_lines.summary(tmp_path, {"hashes": yaml.safe_load(STUDY)}, 9, COMMAND)
    assert "(warm-up unproven)" in lines[0] and words in lines[-1]


def test_a_tier_without_minutes_and_too_few_rounds_leads_to_one_with_more(tmp_path):
    (tmp_path / "verdicts.csv").write_text(verdict(verdict="undecided", cause="too few forks", contrast=""))
    (tmp_path / "forks.csv").write_text("environment,cell,elapsed_ms,valid\ne,c,1000,TRUE\n")
    lines = verdict_lines.summary(tmp_path, {"hashes": yaml.safe_load(STUDY)}, 0, COMMAND)
    assert lines[-1].endswith("JVM runs of each benchmark: choose a tier of five rounds or more, such as tier=quick")


def test_benchmarks_without_time_are_counted_with_the_minutes_that_go_on(tmp_path):
    (tmp_path / "verdicts.csv").write_text(verdict(verdict="not-measured", estimate=""))
    (tmp_path / "forks.csv").write_text("environment,cell,elapsed_ms,valid\ne,c,1000,TRUE\n")
    (tmp_path / "definitions.json").write_text('{"left_out": [{"none": 5, "fewer": 1}]}')
    lines = verdict_lines.summary(tmp_path, {"hashes": yaml.safe_load(STUDY)}, 3, COMMAND)
    assert "5 benchmarks had no time" in lines[-1] and lines[-1].endswith("minutes=6")
