# Makes every number and word of the report that depends on data: each file in tables/ defines one function
# table_<name>(data), whose result is written as <name>.json. Typst only lays them out.
# Usage: Rscript analysis/tables.R --tidy DIR --definitions FILE --published DIR --rounds DIR --out DIR

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "rooms.R"), chdir = TRUE)

script("display", function() {
  arguments <- read_arguments(report_arguments("rounds", "a JSON file per table"), "Makes every number of the report.")
  validity <- file.path(analysis_dir, "validity.csv")
  data <- read_report_data(arguments$tidy, arguments$definitions, arguments$published, arguments$rounds, validity)
  dir.create(arguments$out, recursive = TRUE, showWarnings = FALSE)
  tables <- plug_ins(file.path(analysis_dir, "tables"), "table")
  for (name in names(tables)) {
    jsonlite::write_json(
      tables[[name]](data), file.path(arguments$out, paste0(name, ".json")),
      auto_unbox = TRUE, null = "null", na = "null", digits = NA, pretty = TRUE
    )
  }
})
