# Measuring: the benchmark jar, the providers' jars, and rounds, which run alone on the machine and one after the other; the plans
# of later stages; the kit.
# In: jmh/, providers.yaml, experiments/, the environments' records.
# Out: <raw>/<experiment>/<environment>/<round>/ (raw is data/raw, unless `results` says another place), data/kit/.

from jcarerun.kit import kit
from jcarerun.plan import providers
from jcarerun.plan.workloads import SOURCES

# On a cluster a round has a node alone (profiles/slurm): it asks for the CPUs that its containers are given, and is made again where
# a node dies. Elsewhere it has this machine alone, by all of its cores.
ON_NODES = config["cluster"]
ROUND_CPUS = 2 if ON_NODES else (lambda wildcards: workflow.cores)
# Of the run itself: a job that tried again too would multiply them.
ROUND_RETRIES = 2 if ON_NODES and workflow.is_main_process else 0
# What runs beside the container on its behalf: Snakemake, twice, and the engine's client.
ROUND_MIB = 1024


rule jar:
    """The JMH jar: the same bytes from the same sources."""
    input:
        "bench/jmh/pom.xml",
        "envs/locks/maven.sha256",
        sorted(str(path) for path in SOURCES.parent.rglob("*") if path.is_file()),
    output:
        "bench/target/benchmarks.jar",
    log:
        "data/logs/jar.log",
    shell:
        "python -m jcarerun images maven -- --batch-mode --quiet --file bench/jmh/pom.xml package -DskipTests > {log} 2>&1 || {{ cat {log} >&2; exit 1; }}"


rule provider_jars:
    """Every provider's jar, by its hash."""
    input:
        "bench/providers.yaml",
        sorted(str(path) for path in providers.DROP_IN.glob("*.jar")),
    output:
        "bench/target/providers.sha256",
    log:
        "data/logs/provider_jars.log",
    shell:
        "python -m jcarerun.run --log {log} jars {output}"


rule round_files:
    """What each round of a stage needs, in a file of its own: <experiment>/<environment>/<round>.json. A round's job reads no other."""
    input:
        "bench/target/benchmarks.jar",
        "bench/target/providers.sha256",
        # Every environment of the run: the first round waits for the last build, so that rounds interleave as planned and nothing
        # is built between them. A later stage may have environments that the first had no time for.
        lambda wildcards: [f"envs/build/{name}/environment.json" for name in RUN.environments()],
        RUN.native_programs(),
        R_IMAGE,
        # A later stage has the rounds that its plan gives it.
        lambda wildcards: RUN.stage_stamps(checkpoints, int(wildcards.stage)),
    output:
        directory(f"{RAW}/.rounds/{{run}}-{{stage}}"),
    log:
        "data/logs/round_files/{run}-{stage}.log",
    wildcard_constraints:
        run="[0-9a-f]+",
        stage="[1-9]",
    params:
        plan=lambda wildcards: RUN.round_plan(int(wildcards.stage)),
    shell:
        "python -m jcarerun.run --log {log} round-files --config {CONFIG:q} {wildcards.stage} {output:q}"


rule round:
    """One fork of every cell of an experiment in an environment. The stamp stands beside the round's directory.

    The directory itself is no declared output: Snakemake removes outputs before it runs a job again, and a round that was measured
    is never removed. A round that is there is only checked.
    """
    input:
        lambda wildcards: RUN.round_folder_of(f"{wildcards.experiment}/{wildcards.environment}/{wildcards.round}"),
    output:
        f"{RAW}/{{experiment}}/{{environment}}/{{round}}.done",
    log:
        "data/logs/round/{experiment}/{environment}/{round}.log",
    wildcard_constraints:
        # What a kit measured is imported, never made here.
        environment="(?!kit-)[^/]+",
    priority: lambda wildcards: RUN.priority(f"{wildcards.experiment}/{wildcards.environment}/{wildcards.round}")
    retries: ROUND_RETRIES
    threads: ROUND_CPUS
    resources:
        bench=1,
        mem_mb=RUN.settings.memory + ROUND_MIB,
        slurm_extra=lambda wildcards: (
            RUN.slurm_options(f"{wildcards.experiment}/{wildcards.environment}/{wildcards.round}") if ON_NODES else ""
        ),
    params:
        raw=lambda wildcards, output: str(Path(output[0]).parents[2]),
    shell:
        "exec python -m jcarerun --log {log} round {input:q}/{wildcards.experiment}/{wildcards.environment}/{wildcards.round}.json"
        " {params.raw:q} --schedule {input:q}/schedule.json"
        " --minutes {config[minutes]} --until {config[until]} --wait {config[wait]}"


checkpoint stage:
    """Plan a stage from the rounds of those before it: which cells get more forks.

    Undecided claims and wide intervals need more; in the full tier only what was disturbed is measured again.
    """
    input:
        lambda wildcards: RUN.round_stamps(checkpoints, before=int(wildcards.stage)),
        # The minutes, and which rounds do not count: a new one, for example of more minutes, asks for the stage again.
        lambda wildcards: RUN.stages[int(wildcards.stage) - 1].requests(DRY_RUN),
        R_IMAGE,
    output:
        # A stamp, as a round has it: Snakemake removes outputs before it comes again, and the stage's files must stay.
        f"{RAW}/.stages/{{run}}-{{stage}}.planned",
    log:
        "data/logs/stage/{run}-{stage}.log",
    wildcard_constraints:
        run="[0-9a-f]+",
        stage="[2-9]",
    shell:
        "python -m jcarerun.run --log {log} stage --config {CONFIG:q} {wildcards.stage}"


rule kit:
    """The zip by which a machine with nothing but Java measures the same rounds. `import_kit` imports what comes back."""
    input:
        "bench/target/benchmarks.jar",
        "bench/target/providers.sha256",
        "bench/kit/readme.txt",
    output:
        f"data/kit/jca-rerun-kit-{RUN.settings.tier}.zip",
    log:
        "data/logs/kit.log",
    params:
        content=lambda wildcards: kit.fingerprint(RUN.kit_rounds()),
    shell:
        "python -m jcarerun.kit --log {log} write --config {CONFIG:q}"


rule import_kit:
    """Check what a kit sent back (--config from=FILE) and copy its rounds below data/raw. The next run reports on them too."""
    input:
        "bench/target/benchmarks.jar",
    log:
        "data/logs/import_kit.log",
    shell:
        "python -m jcarerun.kit --log {log} import --config {CONFIG:q}"
