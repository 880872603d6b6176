# Analysis in R, from raw data alone: tidy tables, intervals, verdicts.
# In: the rounds (data/raw, or --config raw=DIR), the experiments. Out: data/tidy/*, or what --config results=DIR has in its place.

import shlex

R_SOURCES = sorted(
    str(path)
    for name in ("*.R", "DESCRIPTION", "NAMESPACE", "columns.json")
    for path in Path("analysis").glob(f"**/{name}")
    if "tests" not in path.parts
)
# Experiments that are judged on CPU time keep its user and system parts too.
CPU_APART = ",".join(id for id, experiment in RUN.experiments.items() if experiment["measure"] == "cpu")
# The checkout can be read there anyway.
READ = " ".join(f"--read {shlex.quote(path)}" for path in [str(RUN.raw), *([TIDY] if RUN.settings.results else [])])
IN_R = f"python -m jcarerun images analyse --engine {RUN.settings.engine} {READ}"


rule definitions:
    """The plan as the analysis reads it: settings, experiments with their claims, environments, the list of rounds, and the pairs of cells that claims compare."""
    input:
        every_round,
    output:
        definitions=f"{TIDY}/definitions.json",
        rounds=f"{TIDY}/rounds.txt",
        reference_forks=f"{TIDY}/reference_forks.txt",
        pairs=f"{TIDY}/claim_pairs.csv",
    log:
        f"{LOGS}/definitions.log",
    params:
        content=RUN.fingerprint(),
    shell:
        "python -m jcarerun.run --log {log:q} definitions --config {CONFIG:q} {output:q}"


rule tidy:
    """Raw files, checked, as tables, with the means of what was observed."""
    input:
        every_round,
        R_IMAGE,
        R_SOURCES,
        rounds=f"{TIDY}/rounds.txt",
        reference_forks=f"{TIDY}/reference_forks.txt",
    output:
        f"{TIDY}/rounds.csv",
        f"{TIDY}/reference_forks.csv",
        f"{TIDY}/plans.csv",
        f"{TIDY}/iterations.csv.gz",
        f"{TIDY}/pauses.csv.gz",
        f"{TIDY}/forks.csv",
        f"{TIDY}/observations.csv.gz",
        f"{TIDY}/counts.csv.gz",
        f"{TIDY}/calls.csv.gz",
        f"{TIDY}/call_checks.csv",
        f"{TIDY}/observed.csv",
        f"{TIDY}/observed_means.csv",
        f"{TIDY}/offers.csv",
        f"{TIDY}/chain.csv.gz",
        f"{TIDY}/compilations.csv.gz",
    log:
        f"{LOGS}/tidy.log",
    params:
        raw=RUN.raw,
        in_r=IN_R,
        tidy=RUN.folders.tidy,
        reference_forks=RUN.reference_folder,
        apart=f"--cpu_apart {CPU_APART}" if CPU_APART else "",
    shell:
        "{params.in_r} --write {params.tidy:q} -- Rscript analysis/run.R tidy --raw {params.raw:q} --rounds {input.rounds:q}"
        " --reference_forks {params.reference_forks:q} --reference_rounds {input.reference_forks:q} {params.apart} --out {params.tidy:q}"
        " 2> {log:q} || {{ cat {log:q} >&2; exit 2; }}"


rule judge:
    """Means of cells, contrasts and verdicts of claims; what they rest on, and how the calibration came out."""
    input:
        f"{TIDY}/forks.csv",
        f"{TIDY}/plans.csv",
        f"{TIDY}/rounds.csv",
        f"{TIDY}/observed.csv",
        f"{TIDY}/observed_means.csv",
        f"{TIDY}/observations.csv.gz",
        f"{TIDY}/offers.csv",
        f"{TIDY}/call_checks.csv",
        f"{TIDY}/claim_pairs.csv",
        R_SOURCES,
        definitions=f"{TIDY}/definitions.json",
        published=sorted(str(path) for path in Path("data/published").glob("*.csv")),
    output:
        f"{TIDY}/cells.csv",
        f"{TIDY}/contrasts.csv",
        f"{TIDY}/verdicts.csv",
        f"{TIDY}/machine_verdicts.csv",
        f"{TIDY}/drifts.csv",
        f"{TIDY}/ratios.csv",
        f"{TIDY}/pairs.csv",
        f"{TIDY}/published_ratios.csv",
        f"{TIDY}/claim_list.csv",
        f"{TIDY}/claim_summary.csv",
        f"{TIDY}/departures.csv",
        f"{TIDY}/sensitivity.csv",
        f"{TIDY}/calibration.csv",
        f"{TIDY}/notes.csv",
    log:
        f"{LOGS}/judge.log",
    params:
        in_r=IN_R,
        tidy=RUN.folders.tidy,
    shell:
        "{params.in_r} --write {params.tidy:q} -- Rscript analysis/run.R judge --tidy {params.tidy:q} --definitions {input.definitions:q}"
        " --published data/published 2> {log:q} || {{ cat {log:q} >&2; exit 2; }}"
