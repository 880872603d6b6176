"""What these tests share: a run that may take something in, a zip of what came back, and how a refusal is held."""

import zipfile
from pathlib import Path

import pytest

from bench.harness import definitions, run, settings, take_in
from envs.builder.errors import UserError

EXPERIMENTS = Path("bench/tests/experiments")


def planned_run(world, **config):
    chosen = settings.read({"experiment_dir": str(EXPERIMENTS), "tier": "smoke", "seed": 1, **config})
    experiments = definitions.read_all(chosen.experiment_dir, (), world)
    return run.Run(chosen, world, experiments, [])


def refusal(current, given):
    with pytest.raises(UserError) as caught:
        take_in.take_in(current, given)
    assert "\n" not in str(caught.value)
    assert not list(take_in.RAW.glob("*/*/*")), "nothing is taken in"
    assert not list(take_in.RAW.glob(".take-in-*"))
    return str(caught.value)


def pack(folder, target):
    with zipfile.ZipFile(target, "w") as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return target
