# The report: display tables and figures by R, the PDF by Typst.
# In: data/tidy, data/published, the raw rounds' records. Out: report/report.pdf.

TABLES = [f"data/tidy/{name}" for name in ("rounds.csv", "cells.csv", "forks.csv", "contrasts.csv", "verdicts.csv", "notes.csv")]


rule tables:
    """Every number of the report, as it will be printed."""
    input:
        TABLES,
        R_SOURCES,
        definitions="data/tidy/definitions.json",
    output:
        directory("report/build/tables"),
    params:
        raw=RUN.raw,
    shell:
        "{IN_R} Rscript analysis/tables.R --tidy data/tidy --definitions {input.definitions} --published data/published"
        " --rounds {params.raw} --out {output}"


rule figures:
    """Every figure, one file of analysis/figures each."""
    input:
        TABLES,
        "data/tidy/iterations.csv.gz",
        "data/tidy/pauses.csv.gz",
        R_SOURCES,
        definitions="data/tidy/definitions.json",
    output:
        directory("report/build/figures"),
    params:
        raw=RUN.raw,
    shell:
        "{IN_R} Rscript analysis/figures.R --tidy data/tidy --definitions {input.definitions} --published data/published"
        " --raw {params.raw} --out {output}"


rule pdf:
    """The document."""
    input:
        "report/build/tables",
        "report/build/figures",
        "report/build.py",
        sorted(str(path) for path in Path("report").glob("**/*.typ") if "build" not in path.parts),
    output:
        "report/report.pdf",
    shell:
        "{PYTHON} report/build.py --tables report/build/tables --figures report/build/figures --out {output}"
