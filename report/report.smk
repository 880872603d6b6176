# The report: display tables and figures by R, the PDF by Typst.
# In: data/tidy, data/published, the raw rounds' records. Out: report/report.pdf, and report/report.html to explore the tables; with
# --config results=DIR both in DIR.

TABLES = [
    f"{TIDY}/{name}"
    for name in (
        "rounds.csv",
        "cells.csv",
        "forks.csv",
        "reference_forks.csv",
        "observed_means.csv",
        "contrasts.csv",
        "verdicts.csv",
        "ratios.csv",
        "published_ratios.csv",
        "sensitivity.csv",
        "calibration.csv",
        "drifts.csv",
        "notes.csv",
    )
]

# The project's own published results, which a short run shows where it has no number of its own.
REFERENCE = "report/results"
REFERENCE_TABLES = [
    file
    for file in (
        f"{REFERENCE}/{part}/{name}"
        for part in ("tables", "today/tables", "jdk-claims/tables")
        for name in ("rounds.csv", "today.csv", "calibration.csv", "changes.json", "answer.json")
    )
    if Path(file).is_file()
]

PUBLISHED = sorted(str(path) for path in Path("data/published").glob("**/*") if path.is_file())


rule tables:
    """Every number of the report, as it will be printed."""
    input:
        TABLES,
        f"{TIDY}/pauses.csv.gz",
        PUBLISHED,
        REFERENCE_TABLES,
        R_SOURCES,
        definitions=f"{TIDY}/definitions.json",
    output:
        directory(f"{REPORT}/build/tables"),
    log:
        f"{LOGS}/tables.log",
    params:
        raw=RUN.raw,
        tidy=RUN.folders.tidy,
        in_r=IN_R,
        reference=f"--reference {REFERENCE}" if REFERENCE_TABLES else "",
    shell:
        "{params.in_r} --write {output:q} -- Rscript analysis/run.R tables --tidy {params.tidy:q} --definitions {input.definitions:q} --published data/published"
        " --rounds {params.raw:q} {params.reference} --out {output:q} 2> {log:q} || {{ cat {log:q} >&2; exit 2; }}"


rule figures:
    """Every figure, one function figure_<name> of the analysis each."""
    input:
        TABLES,
        PUBLISHED,
        f"{TIDY}/iterations.csv.gz",
        f"{TIDY}/pauses.csv.gz",
        f"{TIDY}/counts.csv.gz",
        R_SOURCES,
        definitions=f"{TIDY}/definitions.json",
    output:
        report(
            directory(f"{REPORT}/build/figures"),
            patterns=["{name}.svg"],
            caption="captions/figure.rst",
            category="Figures",
        ),
    log:
        f"{LOGS}/figures.log",
    # They take longest, so they start first.
    priority: 1
    params:
        raw=RUN.raw,
        tidy=RUN.folders.tidy,
        in_r=IN_R,
    shell:
        "{params.in_r} --write {output:q} -- Rscript analysis/run.R figures --tidy {params.tidy:q} --definitions {input.definitions:q} --published data/published"
        " --raw {params.raw:q} --out {output:q} 2> {log:q} || {{ cat {log:q} >&2; exit 2; }}"


rule pdf:
    """The document."""
    input:
        "bench/jcarerun/pdf.py",
        sorted(str(path) for path in Path("report").glob("**/*.typ") if "build" not in path.parts),
        tables=f"{REPORT}/build/tables",
        figures=f"{REPORT}/build/figures",
    output:
        report(f"{REPORT}/report.pdf", caption="captions/report.rst", category="Report"),
    log:
        f"{LOGS}/pdf.log",
    shell:
        "python -m jcarerun.pdf --tables {input.tables:q} --figures {input.figures:q} --out {output:q} 2> {log:q} || {{ cat {log:q} >&2; exit 2; }}"


rule explorer:
    """The tables as one page that needs no network."""
    input:
        TABLES,
        f"{TIDY}/iterations.csv.gz",
        f"{TIDY}/pauses.csv.gz",
        f"{TIDY}/chain.csv.gz",
        f"{TIDY}/compilations.csv.gz",
        f"{TIDY}/observed.csv",
        f"{TIDY}/pairs.csv",
        f"{TIDY}/claim_list.csv",
        f"{TIDY}/claim_summary.csv",
        f"{TIDY}/departures.csv",
        sorted(
            str(path)
            for path in Path("report/explorer").glob("**/*")
            if path.suffix in (".html", ".css", ".js", ".json")
        ),
        definitions=f"{TIDY}/definitions.json",
    output:
        report(f"{REPORT}/report.html", caption="captions/explorer.rst", category="Report"),
    log:
        f"{LOGS}/explorer.log",
    params:
        raw=RUN.raw,
        tidy=RUN.folders.tidy,
    shell:
        "python -m jcarerun.explorer.page --tidy {params.tidy:q} --raw {params.raw:q} --out {output:q} 2> {log:q} || {{ cat {log:q} >&2; exit 2; }}"
