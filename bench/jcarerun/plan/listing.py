"""What an experiment file may name, for `jca-rerun list`, and what every experiment file says as JSON, for `jca-rerun claims`.

In: the Java sources, the experiments, bench/providers.yaml, bench/measures.yaml and bench/forms.yaml.
"""

import argparse
import json
import textwrap
from collections.abc import Iterable
from pathlib import Path

import yaml

from jcarerun.plan import claim_pairs, definitions, forms, providers, settings, workloads
from jcarerun.plan.environments import EnvironmentWords, described
from jcarerun.plan.forms import KINDS, Form
from jcarerun.plan.workloads import Workload
from jcarerun.support.yamlfile import load_checked

WIDTH, INDENT = 120, 44

EXPERIMENTS = Path(settings.defaults()["experiment_dir"])

WORKLOADS_HEAD = """\
A workload's `benchmark` is a name below, whose times are those of one call, in ns. Then its parameters, for `params`
and factors' levels: in brackets what counts where an experiment gives none, then what this project's experiments give."""

FORMS_HEAD = """\
A claim's `form` says what it compares and when it holds. Ratios are of times, or of the claim's `measure`: above 1,
the numerator takes longer. Whatever the form, a verdict needs five forks of each cell, so five rounds, and counts only
on times that are proven."""


def _row(head: str, text: str, indent: int) -> str:
    """A name and its text beside it, wrapped under itself."""
    filled = textwrap.wrap(text, WIDTH - indent, break_on_hyphens=False) or [""]
    first = f"{head:<{indent}}{filled[0]}" if len(head) <= indent else f"{head}\n{' ' * indent}{filled[0]}"
    return "\n".join([first.rstrip(), *(" " * indent + line for line in filled[1:])])


def measured(folder: Path) -> dict[tuple[str, str], list[str]]:
    """Class of a workload and parameter to the values that the experiments of a directory give it.

    Numbers are sorted, words in the experiments' order.
    """
    found: dict[tuple[str, str], dict[str, None]] = {}
    for path in sorted(folder.glob("*.yaml")):
        data = load_checked(path, definitions.SCHEMA)
        for each in data["workloads"].values():
            levels = [level for name in each.get("factors", []) for level in data["factors"][name].values()]
            for given in (each.get("params", {}), *levels):
                for name, value in given.items():
                    found.setdefault((each["benchmark"].split(".")[0], name), {})[str(value)] = None
    return {key: sorted(own, key=int) if all(map(str.isdecimal, own)) else list(own) for key, own in found.items()}


def _workload(each: Workload, given: dict[tuple[str, str], list[str]]) -> Iterable[str]:
    yield _row(f"{each.name}: ", each.what, len(each.name) + 2)
    for method, what in each.methods.items():
        yield _row(f"  {each.name}.{method}", what, INDENT)
    for parameter in each.parameters.values():
        yield _row(f"    {parameter.name} ({', '.join(parameter.default) or 'no default'})", parameter.what, INDENT)
        if values := given.get((each.name, parameter.name)):
            yield _row("      measured here", ", ".join(values), INDENT)
    if measures := workloads.declared(f"{each.name}.{next(iter(each.methods))}"):
        yield _row("    observes", ", ".join(measures), INDENT)


def list_workloads() -> str:
    """Every benchmark with its parameters, their defaults and measured values, and every provider with what it offers."""
    given = measured(EXPERIMENTS)
    blocks = [WORKLOADS_HEAD, *("\n".join(_workload(each, given)) for each in workloads.workloads())]
    return "\n\n".join([*blocks, list_providers()])


def list_providers() -> str:
    """Every provider with what it is known to offer."""
    offers = [
        _row(each.id, f"{each.label}: {', '.join(sorted(each.offers)) or 'asked in the round'}", 24)
        for each in providers.read().values()
    ]
    return "Providers, and the families of algorithms that they are known to offer:\n" + "\n".join(offers)


def _form(form: Form) -> str:
    takes = [f"{name} ({'optional, ' if optional else ''}{KINDS[kind][1]})" for name, kind, optional in form.kinds()]
    needs = [*form.needs, *(["across"] if form.across else [])]
    parameters = f"; parameters: {', '.join(takes)}" if takes else ""
    example = yaml.safe_dump(
        {"form": form.name, **form.example}, default_flow_style=True, sort_keys=False, width=10_000
    ).strip()
    lines = (form.meaning, f"needs {', '.join(needs)}{parameters}", f"example: {example}")
    return "\n".join(_row(head, line, 20) for head, line in zip((form.name, "", ""), lines, strict=True))


def list_forms() -> str:
    """Every form of claim: what it says, the keys of a claim that it needs, its parameters, and an example."""
    return "\n\n".join([FORMS_HEAD, *map(_form, forms.read().values())])


LISTS = {"workloads": list_workloads, "forms": list_forms, "providers": list_providers}


EXPERIMENTS = Path("bench/experiments")


def write_experiments(arguments: argparse.Namespace) -> None:
    """Write the file. Raises UserError for an experiment file that is wrong."""
    registry = definitions.registry()
    words = EnvironmentWords(described(registry.catalogue))
    every = definitions.read_all(EXPERIMENTS, (), registry).values()
    content = {"experiments": [claim_pairs.with_decisions(experiment, registry.forms, words) for experiment in every]}
    arguments.file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
