# Environments: root file systems by mmdebstrap, images by their content, images of a registry by their digest.
# In: environments.yaml, locks/. Out: build/<environment>/environment.json (image id, packages, drift), the image in the engine.

from jcarerun.images import image

ENVIRONMENTS = RUN.registry.catalogue
# envs/locks/<environment>.json, where it was written already.
LOCKS = {path.stem: str(path) for path in Path("envs/locks").glob("*.json")}

# Not parameters of the rules: what is built already is not built again for them.
STRICT = "--strict" if RUN.settings.strict else ""
REFRESH = "--refresh" if RUN.settings.refresh else ""


rule rootfs:
    """A Debian root file system with its packages."""
    input:
        lambda wildcards: LOCKS.get(ENVIRONMENTS.rootfs(wildcards.rootfs).id, []),
    output:
        "envs/build/rootfs/{rootfs}.tar",
    log:
        "data/logs/rootfs/{rootfs}.log",
    params:
        made_of=lambda wildcards: str(ENVIRONMENTS.rootfs(wildcards.rootfs).packages),
    shell:
        f"python -m jcarerun --log {{log}} images rootfs {REFRESH} {{wildcards.rootfs}}"


rule image:
    """An environment's image in the engine's store, and its record."""
    input:
        # envs/build/rootfs/<root file system>.tar; nothing for an image of a registry.
        lambda wildcards: image.tars(ENVIRONMENTS.find(wildcards.environment)),
        lambda wildcards: LOCKS.get(wildcards.environment, []),
    output:
        "envs/build/{environment}/environment.json",
    log:
        "data/logs/image/{environment}.log",
    params:
        made_of=lambda wildcards: str(ENVIRONMENTS.find(wildcards.environment)),
        engine=RUN.settings.engine,
    shell:
        f"python -m jcarerun --log {{log}} images image --engine {{params.engine}} {STRICT} {REFRESH} {{wildcards.environment}}"


rule environments:
    """Every environment there is, the compilers' images and the analysis image; says which differ from their locks."""
    input:
        [f"envs/build/{environment.id}/environment.json" for environment in ENVIRONMENTS.every()],
    log:
        "data/logs/environments.log",
    shell:
        f"python -m jcarerun --log {{log}} images drift {STRICT}"
