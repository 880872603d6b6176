"""The bundle as an RO-Crate, by the profile Provenance Run Crate 0.5 (https://w3id.org/ro/wfrun/provenance/0.5).

In: the bundle's directory, its rounds, what it was made by. Out: the text of ro-crate-metadata.json, the same for the same
run, so no day but the run's own and no number drawn at random is in it.
"""

import json
from importlib.metadata import version
from pathlib import Path

from rocrate.model.contextentity import ContextEntity
from rocrate.model.entity import Entity
from rocrate.rocrate import ROCrate

from jcarerun.bundle import layout
from jcarerun.explorer.tidy import Row

CRATE_1_1, WORKFLOW_CRATE = "https://w3id.org/ro/crate/1.1", "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/provenance/0.5": ("Provenance Run Crate", "0.5"),
    WORKFLOW_CRATE: ("Workflow RO-Crate", "1.0"),
}
LICENSE = "https://spdx.org/licenses/Apache-2.0"
SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
TITLE = "jca-rerun: published Java cryptography benchmarks, rerun"

# The steps of the workflow: what each does, and what of a bundle it makes.
STEPS = {
    "measure": "Rounds of JMH forks in isolated containers, one of every cell in an order drawn by a recorded seed",
    "analyse": "Raw rounds, checked, to tidy tables: estimates with intervals, contrasts, verdicts",
    "report": "Tables and figures to the PDF and to the page to explore the run",
}
_TYPES = {
    ".csv": "text/csv", ".gz": "application/gzip", ".json": "application/json", ".txt": "text/plain", ".pdf": "application/pdf",
    "": "text/plain",
    ".html": "text/html", ".yaml": "application/yaml", ".md": "text/markdown", ".cff": "application/yaml",
}  # fmt: skip


class _Crate:
    def __init__(self, folder: Path, rounds: list[Row], made_by: dict, chosen: dict):
        self.folder, self.rounds, self.made_by, self.chosen = folder, rounds, made_by, chosen
        self.crate = ROCrate(version="1.1")

    def add(self, identifier: str, type_: str | list[str], **properties: object) -> Entity:
        return self.crate.add(ContextEntity(self.crate, identifier, properties={"@type": type_, **properties}))

    def file(self, name: str) -> Entity:
        kind = _TYPES.get(Path(name).suffix)
        return self.crate.add_file(dest_path=name, properties={
            "name": name, "contentSize": str((self.folder / name).stat().st_size), **({"encodingFormat": kind} if kind else {}),
        })  # fmt: skip

    def below(self, name: str) -> list[Entity]:
        """The files of a directory of the bundle, however deep."""
        files = sorted(file for file in (self.folder / name).rglob("*") if file.is_file())
        return [self.file(file.relative_to(self.folder).as_posix()) for file in files]

    def data(self) -> list[Entity]:
        """The raw rounds, a dataset for each: its own manifest lists its files."""
        return [
            self.crate.add_dataset(dest_path=f"{layout.RAW}/{row['path']}/", properties={
                "name": f"round {row['path']}", "dateCreated": row["finished_at"],
                "description": f"forks of {row['experiment']} in {row['environment']} on machine {row['machine_id']}",
            })
            for row in self.rounds
        ]  # fmt: skip

    def workflow(self) -> Entity:
        self.add(SNAKEMAKE, "ComputerLanguage", name="Snakemake", url="https://snakemake.readthedocs.io")
        tools = [
            self.add(
                f"#{name}", "SoftwareApplication", name=name, description=text, softwareVersion=self.made_by["commit"]
            )
            for name, text in STEPS.items()
        ]
        steps = [
            self.add(f"#step-{tool['name']}", "HowToStep", name=tool["name"], position=str(number), workExample=tool)
            for number, tool in enumerate(tools, start=1)
        ]
        return self.crate.add_file(dest_path=layout.WORKFLOW, properties={
            "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"], "name": TITLE,
            "description": "From experiment files to a PDF with a verdict for every claim",
            "programmingLanguage": {"@id": SNAKEMAKE}, "license": {"@id": LICENSE}, "version": self.made_by["commit"],
            "hasPart": tools, "step": steps, "encodingFormat": "text/plain",
        })  # fmt: skip

    def text(self) -> str:
        # To the second: what a profile takes for a time has no parts of it.
        began = f"{min(row['started_at'] for row in self.rounds)[:19]}Z"
        ended = f"{max(row['finished_at'] for row in self.rounds)[:19]}Z"
        root = self.crate.root_dataset
        self.add(LICENSE, "CreativeWork", name="Apache License 2.0", url="https://www.apache.org/licenses/LICENSE-2.0")
        root["name"], root["license"] = f"A run of {TITLE}", {"@id": LICENSE}
        root["datePublished"] = ended[:10]
        experiments = ", ".join(sorted({row["experiment"] for row in self.rounds}))
        root["description"] = (
            f"{len(self.rounds)} rounds in tier {self.chosen['tier']} of {experiments}, "
            "with every raw timing, the tables and reports made from them, and per claim the command that measures it again"
        )
        root["conformsTo"] = [
            self.add(url, "CreativeWork", name=name, version=number) for url, (name, number) in PROFILES.items()
        ]
        workflow, raw = self.workflow(), self.data()
        root["mainEntity"] = workflow
        given = self.below(layout.DEFINITIONS)
        tables = [*self.below(layout.TIDY), self.file(layout.CLAIMS)]
        reports = [self.file(name) for name in layout.REPORTS]
        for name in (layout.LOCKS, layout.BILLS):
            self.below(name)
        for name in (*(name for name in layout.ABOUT if name != layout.WORKFLOW), layout.RECORD):
            self.file(name)
        self.crate.get("README.md")["about"] = root
        self.crate.metadata["conformsTo"] = [{"@id": url} for url in (CRATE_1_1, WORKFLOW_CRATE)]
        root["mentions"] = self.actions(workflow, began, ended, given, raw, tables, reports)
        return json.dumps(self.crate.metadata.generate(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    def actions(self, workflow, began, ended, given, raw, tables, reports) -> list[Entity]:
        """The run of the workflow, the runs of its steps, and who ordered them. Only of measuring is it known when it was."""
        times = {"startTime": began, "endTime": ended}
        whole = self.add(
            "#run",
            "CreateAction",
            name="The run",
            description="Measuring, analysis and report",
            instrument=workflow,
            object=given,
            result=[*raw, *tables, *reports],
            **times,
        )
        parts = {
            "measure": (given, raw, times),
            "analyse": ([*given, *raw], tables, {}),
            "report": (tables, reports, {}),
        }
        done, ordered = [], []
        for name, (taken, made, when) in parts.items():
            tool, step = (self.crate.get(identifier) for identifier in (f"#{name}", f"#step-{name}"))
            done.append(self.add(
                f"#run-{name}", "CreateAction", name=f"Run {name}", description=STEPS[name], instrument=tool, object=taken,
                result=made, **when
            ))  # fmt: skip
            ordered.append(self.add(
                f"#control-{name}", "ControlAction", name=f"Orchestrate {name}", instrument=step, object=done[-1]
            ))  # fmt: skip
        engine = self.add(
            "#snakemake",
            "SoftwareApplication",
            name="Snakemake",
            url="https://snakemake.github.io",
            softwareVersion=version("snakemake"),
        )
        organised = self.add(
            "#organise", "OrganizeAction", name="Orchestrate the run", instrument=engine, object=ordered, result=whole
        )
        return [whole, organised, *done]


def text(folder: Path, rounds: list[Row], made_by: dict, chosen: dict) -> str:
    """The text of ro-crate-metadata.json. `rounds`: rows of rounds.csv; `chosen`: the settings as run.json has them."""
    return _Crate(folder, sorted(rounds, key=lambda row: row["path"]), made_by, chosen).text()
