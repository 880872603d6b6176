# Measuring: the benchmark jar, the providers' jars, and rounds, which run alone on the machine and one after the other.
# In: src/, pom.xml, providers.yaml, experiments/, the environments' records. Out: data/raw/<experiment>/<environment>/<round>/.

from bench.harness.plan import SOURCES


rule jar:
    """The JMH jar: the same bytes from the same sources."""
    input:
        "bench/pom.xml",
        sorted(str(path) for path in SOURCES.rglob("*.java")),
    output:
        "bench/target/benchmarks.jar",
    log:
        "data/logs/jar.log",
    shell:
        "mvn --batch-mode --quiet --file bench/pom.xml package -DskipTests > {log} 2>&1 || {{ cat {log} >&2; exit 1; }}"


rule provider_jars:
    """Every provider's jar, by its hash."""
    input:
        "bench/providers.yaml",
    output:
        "bench/target/providers.sha256",
    log:
        "data/logs/provider_jars.log",
    shell:
        "python -m bench.harness --log {log} jars {output}"


rule round:
    """One fork of every cell of an experiment in an environment. The stamp stands beside the round's directory."""
    input:
        ancient("bench/target/benchmarks.jar"),
        ancient("bench/target/providers.sha256"),
        # Every environment of the run, not this round's alone: the first round waits for the last build, so that rounds
        # interleave as planned and nothing is built between them.
        [ancient(f"envs/build/{name}/environment.json") for name in RUN.environments()],
        [ancient(path) for path in R_IMAGE],
    output:
        "data/raw/{experiment}/{environment}/{round}.whole",
    log:
        "data/logs/round/{experiment}/{environment}/{round}.log",
    priority: lambda wildcards: RUN.priority(f"{wildcards.experiment}/{wildcards.environment}/{wildcards.round}")
    threads: workflow.cores
    resources:
        bench=1,
    shell:
        "exec python -m bench.harness --log {log} round {wildcards.experiment}/{wildcards.environment}/{wildcards.round}"
