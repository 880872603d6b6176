# The report: display tables and figures by R, the PDF by Typst.
# In: data/tidy, data/published, the raw rounds' records. Out: report/report.pdf, and report/report.html to explore the tables.

TABLES = [
    f"data/tidy/{name}"
    for name in (
        "rounds.csv",
        "cells.csv",
        "forks.csv",
        "pilots.csv",
        "observed_means.csv",
        "contrasts.csv",
        "verdicts.csv",
        "ratios.csv",
        "variance_shares.csv",
        "published_ratios.csv",
        "sensitivity.csv",
        "calibration.csv",
        "notes.csv",
    )
]

PUBLISHED = sorted(str(path) for path in Path("data/published").glob("**/*") if path.is_file())


rule tables:
    """Every number of the report, as it will be printed."""
    input:
        TABLES,
        PUBLISHED,
        R_SOURCES,
        "analysis/validity.csv",
        definitions="data/tidy/definitions.json",
    output:
        directory("report/build/tables"),
    log:
        "data/logs/tables.log",
    params:
        raw=RUN.raw,
        in_r=IN_R,
    shell:
        "{params.in_r} --write {output} -- Rscript analysis/tables.R --tidy data/tidy --definitions {input.definitions} --published data/published"
        " --rounds {params.raw} --out {output} 2> {log} || {{ cat {log} >&2; exit 2; }}"


rule figures:
    """Every figure, one file of analysis/figures each."""
    input:
        TABLES,
        PUBLISHED,
        "data/tidy/iterations.csv.gz",
        "data/tidy/pauses.csv.gz",
        "data/tidy/counts.csv.gz",
        R_SOURCES,
        definitions="data/tidy/definitions.json",
    output:
        directory("report/build/figures"),
    log:
        "data/logs/figures.log",
    params:
        raw=RUN.raw,
        in_r=IN_R,
    shell:
        "{params.in_r} --write {output} -- Rscript analysis/figures.R --tidy data/tidy --definitions {input.definitions} --published data/published"
        " --raw {params.raw} --out {output} 2> {log} || {{ cat {log} >&2; exit 2; }}"


rule pdf:
    """The document."""
    input:
        "report/build/tables",
        "report/build/figures",
        "report/build.py",
        sorted(str(path) for path in Path("report").glob("**/*.typ") if "build" not in path.parts),
    output:
        "report/report.pdf",
    log:
        "data/logs/pdf.log",
    shell:
        "python report/build.py --tables report/build/tables --figures report/build/figures --out {output} 2> {log} || {{ cat {log} >&2; exit 2; }}"


rule explorer:
    """The tables as one page that needs no network."""
    input:
        TABLES,
        "data/tidy/iterations.csv.gz",
        "data/tidy/pauses.csv.gz",
        "data/tidy/chain.csv.gz",
        "data/tidy/compilations.csv.gz",
        "data/tidy/observed.csv",
        sorted(
            str(path)
            for path in Path("report/explorer").glob("**/*")
            if path.suffix in (".py", ".html", ".css", ".js", ".json")
        ),
        definitions="data/tidy/definitions.json",
    output:
        "report/report.html",
    log:
        "data/logs/explorer.log",
    params:
        raw=RUN.raw,
    shell:
        "python -m report.explorer --tidy data/tidy --raw {params.raw} --out {output} 2> {log} || {{ cat {log} >&2; exit 2; }}"
