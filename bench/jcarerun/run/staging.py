"""The stages of one run: which rounds they have, and the files by which Snakemake and the next command know how far they are.

In: the run's rounds of stage one, and the files of later stages below its raw directory (jcarerun/plan/stages.py). Out: rounds,
and the stamps that rules wait for.
"""

import time
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from jcarerun.plan import fork_plan, stages
from jcarerun.plan.fork_plan import Place
from jcarerun.plan.plan import Round, in_order
from jcarerun.rounds import manifest


@dataclass(frozen=True)
class Staging:
    """A run's stages.

    first: the rounds of stage one; whole: as they would be with time for every cell; places: where a second stage is planned
    from the first; raw: the run's own raw directory; most: how many stages there may be; minutes: 0 for no end.
    """

    first: list[Round]
    whole: list[Round]
    places: list[Place]
    raw: Path
    most: int
    minutes: float

    @cached_property
    def id(self) -> str:
        """What the files of a run's stages are called by: another selection of experiments has others."""
        places = sorted(place.path for place in stages.staged(self.whole))
        return sha256("\n".join(places).encode()).hexdigest()[:8]

    def rounds(self) -> list[Round]:
        """The rounds of stage one, and of later ones where their plan is made: read off the plan files each time."""
        return fork_plan.every_round([*self.first, *self.later()], self.places, self.raw)

    def later(self, only: int | None = None) -> list[Round]:
        """The rounds of the stages after the first of a run that plans several, or of one of these stages."""
        numbers = [only] if only else range(2, self.most + 1)
        places = stages.staged(self.whole)
        return [one for place in places for stage in numbers for one in place.later(self.raw, stage)]

    def stamp(self, stage: int) -> Path:
        """What says that a stage is planned, or why it is not."""
        return self.raw / ".stages" / f"{self.id}-{stage}.planned"

    @cached_property
    def planning(self) -> Path:
        """What is made anew by each run that has something to plan; whatever reads all rounds depends on it."""
        return self.raw / ".stages" / f"{self.id}.run"

    @cached_property
    def planning_word(self) -> str:
        """What that file says; a new word where a plan or a stage must still be made before all rounds are known."""
        wanted = [place.stamp(self.raw) for place in self.places]
        for stage in range(2, self.most + 1):
            wanted.append(self.stamp(stage))
            if not self.later(stage):
                break
        there = all(file.is_file() for file in wanted) and self.planning.is_file()
        return self.planning.read_text().strip() if there else str(time.time_ns())

    def stamps_before(self, checkpoints: Any, stage: int) -> list[str]:
        """The stamps of all rounds of the stages before one, once these are planned."""
        found = [self._whole(one) for one in self.first]
        for before in range(2, stage):
            checkpoints.stage.get(run=self.id, stage=before)
            rounds = in_order(self.later(before))
            if not rounds:
                break
            found += [self._whole(one) for one in rounds]
        return found

    def plan_stamps(self, checkpoints: Any, stage: int) -> list[str]:
        """The stamps of the plans of a stage, once they are made; none of the first stage, which needs no plan."""
        if stage == 1:
            return []
        if self.most > 1:
            checkpoints.stage.get(run=self.id, stage=stage)
            return [str(self.stamp(stage))]
        for place in self.places:
            experiment, environment, family = place.path.split("/")
            checkpoints.plan.get(experiment=experiment, environment=environment, family=family)
        return [str(place.stamp(self.raw)) for place in self.places]

    def later_stages(self, checkpoints: Any, wildcards: Any) -> list[str]:
        """A Snakemake input function: the stamps of every stage's rounds."""
        return self.stamps_before(checkpoints, self.most + 1)

    def stamps_of(self, place: Place, stage: int) -> list[str]:
        """The stamps of a place's rounds of stage one or two."""
        rounds = place.first if stage == 1 else fork_plan.second_rounds(place, self.raw)
        return [self._whole(one) for one in rounds]

    def second_stage(self, checkpoints: Any, place: Place, wildcards: Any) -> list[str]:
        """A Snakemake input function: the stamps of stage two's rounds in a place, once its plan is made."""
        experiment, environment, family = place.path.split("/")
        checkpoints.plan.get(experiment=experiment, environment=environment, family=family)
        return self.stamps_of(place, 2)

    def verify(self) -> None:
        """Hold plans and later stages' files against their rounds, and forget the stamps of stages to be planned anew."""
        for place in self.places:
            fork_plan.verify(place, self.raw)
        if self.most == 1:
            return
        fork_plan.verify_rounds(folder for one in self.later() if (folder := self.raw / one.path).is_dir())
        places = stages.staged(self.whole)
        for stage in range(2, self.most + 1):
            file = self.stamp(stage)
            planned = any(place.file(self.raw, stage).is_file() for place in places)
            if file.is_file() and not stages.stands(file.read_text().strip(), self.minutes, planned):
                for later in range(stage, self.most + 1):
                    self.stamp(later).unlink(missing_ok=True)

    def _whole(self, one: Round) -> str:
        return str(manifest.stamp_of(self.raw / one.path))
