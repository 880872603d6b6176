"""What these tests share: a run that may import something, a zip of what came back, and how a refusal is held."""

import zipfile
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.kit import import_kit
from jcarerun.plan import definitions, settings
from jcarerun.run import run

EXPERIMENTS = Path("bench/tests/experiments")


def planned_run(registry, **config):
    chosen = settings.read({"experiment_dir": str(EXPERIMENTS), "tier": "smoke", "seed": 1, **config})
    experiments = definitions.read_all(chosen.experiment_dir, (), registry)
    return run.Run(chosen, registry, experiments, [])


def refusal(current, given):
    with pytest.raises(UserError) as caught:
        import_kit.import_rounds(current, given)
    assert "\n" not in str(caught.value)
    assert not list(current.folders.raw.glob("*/*/*")), "nothing is imported"
    assert not list(current.folders.raw.glob(".import-*"))
    return str(caught.value)


def pack(folder, target):
    with zipfile.ZipFile(target, "w") as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return target
