"""Rows of claim_pairs.csv, the cells that they name, and what of a claim decides which cells are compared.

In: claims of experiment files. Out: the types and filters that resolving, planning and judging share.
"""

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from jcarerun.support.yamlfile import listed

# The dimension of an environment or CPU profile that a name in a claim's filter is about.
DIMENSION = {"system": "system", "platform": "system", "jdk": "jdk", "cpu-profile": "cpu-profile"}


@dataclass(frozen=True, eq=False)
class MeasuredCell:
    """A cell in an environment; image_id and machine_id are empty in a plan. levels: by the names that filters use.

    cpu_flags: those of the machine's CPU that the cell's CPU profile leaves on, as /proc/cpuinfo names them; None in a plan.
    operations: names of what a programme's cell repeats (`cells.operation_name`); empty for a cell of one operation.
    """

    environment: str
    image_id: str
    machine_id: str
    protocol: str
    cell: str
    levels: dict[str, str]
    cpu_flags: frozenset[str] | None = None
    operations: tuple[str, ...] = ()


class Stratum(NamedTuple):
    """What two cells must share to be compared. What a claim compares is empty, or `*` in the environment."""

    environment: str
    image_id: str
    machine_id: str
    protocol: str
    cpu_profile: str


@dataclass(eq=False)
class PairRow:
    """A row of claim_pairs.csv, as data/README.md describes its columns.

    A row without a numerator's cell stands for a verdict without any pair; `lacking` says why.
    """

    experiment: str
    claim: str
    form: str
    measures: str
    variant: str
    stratum: Stratum
    measure: str = ""
    verdict: int = 0
    group: int = 0
    pair: int = 0
    item: float = 1
    needed: int = 1
    setting: str = ""
    scope: str = ""
    joint_scope: str = ""
    numerator: str = ""
    denominator: str = ""
    numerator_environment: str = ""
    numerator_image_id: str = ""
    numerator_cell: str = ""
    denominator_environment: str = ""
    denominator_image_id: str = ""
    denominator_cell: str = ""
    own_profile: str = ""
    target_lower: float = 0
    target_upper: float = 0
    excluded: str = ""
    featured: str = ""
    series: str = ""
    sizes: str = ""
    environments: str = ""
    lacking: str = ""

    @property
    def cells(self) -> list[tuple[str, str]]:
        """Environment and id of each cell that is compared."""
        series = [(self.numerator_environment, cell) for cell in self.series.split(";") if cell]
        sides = [
            (self.numerator_environment, self.numerator_cell),
            (self.denominator_environment, self.denominator_cell),
        ]
        return series or [side for side in sides if side[1]]


def columns() -> list[str]:
    """The columns of claim_pairs.csv."""
    names = [each.name for each in fields(PairRow)]
    return [column for name in names for column in (Stratum._fields if name == "stratum" else [name])]


def record(row: PairRow) -> list[Any]:
    """A row as the values of `columns`."""
    values = (getattr(row, each.name) for each in fields(PairRow))
    return [part for value in values for part in (value if isinstance(value, Stratum) else [value])]


def matches(levels: dict[str, str], wanted: dict) -> bool:
    """Whether a filter of a claim keeps a cell. No filter keeps all."""
    return all(levels.get(name) in map(str, listed(values)) for name, values in wanted.items())


def compared_dimensions(claim: dict) -> set[str]:
    """The dimensions (system, jdk, cpu-profile) that a claim compares: its comparison's, or named on both sides of a ratio."""
    names = {claim[key]["factor"] for key in ("compare", "across") if key in claim}
    dimensions = {DIMENSION.get(name) for name in names}
    for ratio in claim.get("ratios", []):
        sides = ({DIMENSION.get(name) for name in ratio[side]} for side in ("numerator", "denominator"))
        dimensions |= set.intersection(*sides)
    return dimensions - {None}


def sides(claim: dict) -> list[dict]:
    """The filters that a claim itself gives: of its ratios, and of its values."""
    return [side for ratio in claim.get("ratios", []) for side in ratio.values()] + (
        [claim["values"]] if "values" in claim else []
    )


def each_names(claim: dict) -> list[str]:
    """What a claim is judged separately by, without the dimensions that every stratum has anyway."""
    compared = compared_dimensions(claim)
    return [name for name in open_factors(claim) if DIMENSION.get(name) in {None, *compared}]


def open_factors(claim: dict) -> list[str]:
    """The factors by whose levels a claim is judged separately; `agree_across` is one of them."""
    return list(dict.fromkeys([*claim.get("each", []), *([claim["agree_across"]] if "agree_across" in claim else [])]))


def claim_parts(experiment: dict, claim: dict) -> list[dict]:
    """A claim with its measures; twice where it has another measure on one platform, there and elsewhere."""
    measures = claim.get("measures") or [claim.get("measure") or experiment["measure"]]
    claim = {**claim, "measures": list(measures)}
    if "measure_where" not in claim:
        return [claim]
    other = claim["measure_where"]
    return [
        {**claim, "off_platform": other["platform"]},
        {**claim, "measures": [other["measure"]], "on_platform": other["platform"]},
    ]
