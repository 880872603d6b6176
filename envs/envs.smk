# Environments: root file systems by mmdebstrap, images by their content.
# In: environments.yaml, locks/. Out: build/<environment>/environment.json (image id, packages, drift), the image in the engine.

from envs.builder import lock


rule rootfs:
    """A Debian root file system with its packages."""
    output:
        "envs/build/rootfs/{rootfs}.tar",
    log:
        "data/logs/rootfs/{rootfs}.log",
    params:
        made_of=lambda wildcards: str(RUN.world.catalogue.rootfs(wildcards.rootfs).packages),
    shell:
        "python -m envs.builder --log {log} rootfs {wildcards.rootfs}"


rule image:
    """An environment's image in the engine's store, and its record."""
    input:
        lambda wildcards: f"envs/build/rootfs/{RUN.world.catalogue.find(wildcards.environment).rootfs}.tar",
        lambda wildcards: [str(path) for path in [lock.path(wildcards.environment)] if path.exists()],
    output:
        "envs/build/{environment}/environment.json",
    log:
        "data/logs/image/{environment}.log",
    params:
        made_of=lambda wildcards: str(RUN.world.catalogue.find(wildcards.environment)),
        engine=RUN.settings.engine,
    shell:
        "python -m envs.builder --log {log} image --engine {params.engine} {wildcards.environment}"


rule environments:
    """Every environment there is, and the analysis image."""
    input:
        [f"envs/build/{name}/environment.json" for name in [*RUN.world.catalogue.environments, "analysis"]],
