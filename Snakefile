"""Reruns published Java cryptography benchmarks: from experiment files to a PDF with a verdict for every claim.

    snakemake --cores N [--config tier=smoke|quick|standard|full experiments=[...] engine=docker|podman|host raw=DIR seed=N
                         experiment_dir=DIR results=DIR]     (every setting: bench/config.yaml)
    snakemake --report FILE.html     a page with the report, its figures and how each file was made

This file is the table of contents. The rules lie beside what they work on.
"""

from snakemake.utils import min_version

min_version("9.0")
STARTED = Path.cwd()


workdir: workflow.basedir


configfile: "bench/config.yaml"


include: "bench/run.smk"
include: "envs/envs.smk"
include: "bench/bench.smk"
include: "bench/native/native.smk"
include: "analysis/analysis.smk"
include: "report/report.smk"


rule all:
    """The report, as a PDF and as a page to explore, and the tables that its numbers are traced to."""
    default_target: True
    input:
        f"{REPORT}/report.pdf",
        f"{REPORT}/report.html",
        TABLES,
        # Named here too: Snakemake makes a file that is gone anew only for a target, or for what is out of date anyway.
        every_round,


# On a cluster rounds are its nodes' work; all else is done where Snakemake runs, where it is the only rule (profiles/slurm).
localrules:
    all,
    rootfs,
    image,
    environments,
    jar,
    provider_jars,
    native_programs,
    round_files,
    stage,
    kit,
    import_kit,
    definitions,
    tidy,
    estimate,
    judge,
    tables,
    figures,
    pdf,
    explorer,
