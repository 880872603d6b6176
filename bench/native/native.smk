# The native programs: one per library, for each system that has a toolchain. In: src/, the key pairs. Out: bench/target/native/<system>/.

from jcarerun.native import build as native


rule native_programs:
    """A system's native programs, compiled in its toolchain image."""
    input:
        native.sources(),
        "envs/build/toolchain-{system}/environment.json",
    output:
        "bench/target/native/{system}/built.json",
    log:
        "data/logs/native_programs/{system}.log",
    params:
        engine=RUN.settings.engine,
    shell:
        "python -m jcarerun.native.build --log {log} --engine {params.engine} {wildcards.system}"
