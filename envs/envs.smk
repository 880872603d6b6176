# Environments: root file systems by mmdebstrap, images by their content, images of a registry by their digest.
# In: environments.yaml, locks/. Out: build/<environment>/environment.json (image id, packages, drift), the image in the engine.

from jcarerun.images import image, lock

# Not parameters of the rules: what is built already is not built again for them.
STRICT = "--strict" if RUN.settings.strict else ""
REFRESH = "--refresh" if RUN.settings.refresh else ""


rule rootfs:
    """A Debian root file system with its packages."""
    input:
        lambda wildcards: lock.paths(RUN.world.catalogue.rootfs(wildcards.rootfs)),
    output:
        "envs/build/rootfs/{rootfs}.tar",
    log:
        "data/logs/rootfs/{rootfs}.log",
    params:
        made_of=lambda wildcards: str(RUN.world.catalogue.rootfs(wildcards.rootfs).packages),
    shell:
        f"python -m jcarerun --log {{log}} images rootfs {REFRESH} {{wildcards.rootfs}}"


rule image:
    """An environment's image in the engine's store, and its record."""
    input:
        lambda wildcards: image.tars(RUN.world.catalogue.find(wildcards.environment)),
        lambda wildcards: lock.paths(RUN.world.catalogue.find(wildcards.environment)),
    output:
        "envs/build/{environment}/environment.json",
    log:
        "data/logs/image/{environment}.log",
    params:
        made_of=lambda wildcards: str(RUN.world.catalogue.find(wildcards.environment)),
        engine=RUN.settings.engine,
    shell:
        f"python -m jcarerun --log {{log}} images image --engine {{params.engine}} {STRICT} {REFRESH} {{wildcards.environment}}"


rule environments:
    """Every environment there is, the compilers' images and the analysis image; says which differ from their locks."""
    input:
        [f"envs/build/{environment.id}/environment.json" for environment in RUN.world.catalogue.every()],
    log:
        "data/logs/environments.log",
    shell:
        f"python -m jcarerun --log {{log}} images drift {STRICT}"
