"""Which cells an environment has: what an experiment's `only` limits, and JVM flags that the environment's JDK lacks.

In: an experiment, a cell and an environment. Out: why the plan leaves the cell out there, or nothing.
"""

from collections.abc import Iterable
from pathlib import Path

from jcarerun.images.catalogue import RECORDED_FLAGS, Catalogue, flag_names, recorded_flags
from jcarerun.plan.cells import Cell, level_jvm_flags
from jcarerun.plan.claim_rows import matches
from jcarerun.plan.environments import EnvironmentWords, described


class Availability:
    """What the environments of a catalogue have of an experiment's cells."""

    def __init__(self, experiment: dict, catalogue: Catalogue):
        self.experiment, self.catalogue = experiment, catalogue
        self.words = EnvironmentWords(described(catalogue, Path(), ()))

    def reason(self, cell: Cell, environment: str) -> str:
        """Why the plan leaves the cell out in the environment; empty where it does not."""
        return self._limited(cell, environment) or self._lacks_flag(cell, environment)

    def _limited(self, cell: Cell, environment: str) -> str:
        levels = {
            **self.words.parts(environment), "workload": cell.workload, "provider": cell.provider,
            "protocol": cell.protocol, "cpu-profile": cell.cpu_profile, **cell.factors,
        }  # fmt: skip
        for limit in self.experiment.get("only", []):
            if matches(levels, limit["where"]) and not matches(levels, limit["in"]):
                return limit["reason"]
        return ""

    def _lacks_flag(self, cell: Cell, environment: str) -> str:
        flags = flag_names(level_jvm_flags(self.experiment, cell.factors))
        names = [name for name in flags if RECORDED_FLAGS.fullmatch(name)]
        if not names:
            return ""
        known = self.catalogue.environments.get(environment)
        jdk = known.jdk.id if known and known.jdk else environment
        if jdk not in recorded_flags():
            return f"the JVM flags of {jdk} are not recorded; `jca-rerun images flags` records those of built images"
        lacking = [name for name in names if name not in recorded_flags()[jdk]]
        return f"{known.jdk.label} has no JVM flag {lacking[0]}" if lacking else ""

    def split(self, cells: Iterable[Cell], environment: str) -> tuple[list[Cell], set[str]]:
        """The cells that the environment has, and the reasons for which others are left out."""
        kept, reasons = [], set()
        for cell in cells:
            if reason := self.reason(cell, environment):
                reasons.add(reason)
            else:
                kept.append(cell)
        return kept, reasons
