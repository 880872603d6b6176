# Analysis in R, from raw data alone: tidy tables, intervals, verdicts.
# In: the rounds (data/raw, or --config raw=DIR), the experiments. Out: data/tidy/*.

R_SOURCES = sorted(
    str(path)
    for name in ("*.R", "NAMESPACE")
    for path in Path("analysis").glob(f"**/{name}")
    if "tests" not in path.parts
)
# Experiments that are judged on CPU time keep its user and system parts too.
CPU_APART = ",".join(id for id, experiment in RUN.experiments.items() if experiment["measure"] == "cpu")
IN_R = f"python -m envs.builder analyse --engine {RUN.settings.engine} --read {RUN.raw}"


rule definitions:
    """The plan as the analysis reads it: settings, experiments with their claims, environments, and the list of rounds."""
    input:
        # All of them: which were left out for want of time is known in the end.
        RUN.stamps(),
        PLANS,
        *SECOND_STAGE,
    output:
        definitions="data/tidy/definitions.json",
        rounds="data/tidy/rounds.txt",
        pilots="data/tidy/pilots.txt",
    log:
        "data/logs/definitions.log",
    params:
        content=RUN.fingerprint(),
    shell:
        "python -m bench.run --log {log} definitions {output.definitions} {output.rounds} {output.pilots}"


rule tidy:
    """Raw files, checked, as tables."""
    input:
        RUN.stamps(),
        PLANS,
        *SECOND_STAGE,
        R_IMAGE,
        R_SOURCES,
        rounds="data/tidy/rounds.txt",
        pilots="data/tidy/pilots.txt",
    output:
        "data/tidy/rounds.csv",
        "data/tidy/pilots.csv",
        "data/tidy/plans.csv",
        "data/tidy/iterations.csv.gz",
        "data/tidy/pauses.csv.gz",
        "data/tidy/forks.csv",
        "data/tidy/observations.csv.gz",
        "data/tidy/counts.csv.gz",
        "data/tidy/observed.csv",
        "data/tidy/offers.csv",
        "data/tidy/chain.csv.gz",
        "data/tidy/compilations.csv.gz",
        "data/tidy/cells.csv",
        "data/tidy/observed_means.csv",
        "data/tidy/call_checks.csv",
    log:
        "data/logs/tidy.log",
    params:
        raw=RUN.raw,
        in_r=IN_R,
        apart=f"--cpu_apart {CPU_APART}" if CPU_APART else "",
    shell:
        "({params.in_r} --write data/tidy -- Rscript analysis/tidy.R --raw {params.raw} --rounds {input.rounds}"
        " --pilots data/pilots --pilot_rounds {input.pilots} {params.apart} --out data/tidy"
        " && {params.in_r} --write data/tidy -- Rscript analysis/estimate.R --tidy data/tidy) 2> {log} || {{ cat {log} >&2; exit 2; }}"


rule judge:
    """Claims, contrasts, verdicts; what they rest on, and how the calibration came out."""
    input:
        "data/tidy/cells.csv",
        "data/tidy/observed.csv",
        R_SOURCES,
        definitions="data/tidy/definitions.json",
        published=sorted(str(path) for path in Path("data/published").glob("*.csv")),
    output:
        "data/tidy/contrasts.csv",
        "data/tidy/verdicts.csv",
        "data/tidy/ratios.csv",
        "data/tidy/variance_shares.csv",
        "data/tidy/published_ratios.csv",
        "data/tidy/sensitivity.csv",
        "data/tidy/calibration.csv",
        "data/tidy/notes.csv",
    log:
        "data/logs/judge.log",
    params:
        in_r=IN_R,
    shell:
        "{params.in_r} --write data/tidy -- Rscript analysis/judge.R --tidy data/tidy --definitions {input.definitions}"
        " --published data/published 2> {log} || {{ cat {log} >&2; exit 2; }}"
