# Reads files of users as the scripts do, one after the other, for tests that spoil thousands: an R of its own for each
# would take a second. In: on standard input, lines `<kind>\t<path>`; the experiments with --definitions. Out:
# a line of JSON for each: `end` ("accepted", "refused", "defect") and `said`, what its user would read.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
invisible(compiler::enableJIT(0))
pkgload::load_all(dirname(dirname(script)), helpers = FALSE, attach_testthat = FALSE, quiet = TRUE)
library(data.table)

read_on_request <- function() {
  arguments <- read_arguments(
    list(definitions = list(text = "JSON file with the experiments", required = TRUE, file = TRUE)),
    "Reads files of users on request.", commandArgs(TRUE)
  )
  definitions <- read_json_strictly(arguments$definitions, "make the definitions anew from the experiment files")
  out <- tempfile()
  readers <- list(
    jmh = function(path) {
      run <- read_run(path)
      say_left_out(run)
      write_table(summarise_run(run$forks), out)
      write_table(run$left_out, out)
      check_comparable(run$forks, run$forks, c(path, path))
      rows <- compare_runs(run$forks, run$forks, 0.02, 5)
      write_table(rows, out)
      for (words in comparison_words(rows, 0.02)) message(words)
    },
    gc = function(path) {
      stops <- read_gc_pauses(path)
      for (words in c(attr(stops, "remarks"), attr(stops, "lost"))) message(words)
      write_table(stops[, .(uptime_ms, kind, cause, pause_ms)], out)
    },
    published = function(path) {
      write_table(claims_table(definitions, published_values(path, definitions$experiments)), out)
    }
  )
  requests <- file("stdin", "r")
  while (length(line <- readLines(requests, 1L)) > 0) {
    words <- strsplit(line, "\t", fixed = TRUE)[[1]]
    printed <- character()
    end <- tryCatch(
      withCallingHandlers(
        {
          readers[[words[1]]](words[2])
          "accepted"
        },
        message = function(note) {
          printed <<- c(printed, sub("\n$", "", conditionMessage(note)))
          invokeRestart("muffleMessage")
        }
      ),
      refusal = function(problem) {
        printed <<- conditionMessage(problem)
        "refused"
      },
      warning = function(problem) {
        printed <<- paste("warning:", conditionMessage(problem))
        "defect"
      },
      error = function(problem) {
        printed <<- sprintf("%s: %s", paste(deparse(conditionCall(problem)), collapse = " "), conditionMessage(problem))
        "defect"
      }
    )
    writeLines(as.character(jsonlite::toJSON(list(end = end, said = printed), auto_unbox = TRUE)))
    flush(stdout())
  }
}
read_on_request()
