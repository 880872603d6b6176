# How long summarise and compare take, and how much memory: Rscript analysis/tests/performance.R [--rows
# 1e5,1e6,1e7] Makes results as JMH writes them (cells of 20 forks of 250 iterations, half of the cells in the baseline,
# half in the candidate; forks flat, warming up and stepping), runs the two tools on them, and prints a table. Not a
# test.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
analysis_dir <- dirname(dirname(script))
pkgload::load_all(analysis_dir, helpers = FALSE, attach_testthat = FALSE, quiet = TRUE)

forks_of_cell <- 20L
iterations_of_fork <- 250L

#' Raw data of one cell, one fork per column: its mean, an effect of each fork, and noise; one fork in twenty warms up,
#' one in twenty steps.
made_up_cell <- function(mean) {
  rows <- matrix(stats::rnorm(forks_of_cell * iterations_of_fork, 1, 0.01), iterations_of_fork)
  rows[, 1] <- rows[, 1] * (1 + exp(-seq_len(iterations_of_fork) / 10))
  rows[, 2] <- rows[, 2] * rep(c(1.05, 1), c(80, iterations_of_fork - 80))
  rows * rep(mean * exp(stats::rnorm(forks_of_cell, 0, 0.02)), each = iterations_of_fork)
}

#' A result in JMH's layout, but for its raw data.
result_layout <- '    {
        "jmhVersion" : "1.37",
        "benchmark" : "made.Up.benchmark",
        "mode" : "avgt",
        "threads" : 1,
        "forks" : %d,
        "measurementIterations" : %d,
        "params" : {
            "cell" : "%d"
        },
        "primaryMetric" : {
            "score" : %.15g,
            "scoreError" : 1.0,
            "scoreUnit" : "us/op",
            "rawData" : [
%s
            ]
        },
        "secondaryMetrics" : {
        }
    }'

#' One result.
result_text <- function(number, mean) {
  rows <- made_up_cell(mean)
  indent <- strrep(" ", 20)
  forks <- apply(rows, 2, function(values) {
    lines <- paste0(indent, format(values, digits = 16, trim = TRUE), collapse = ",\n")
    sprintf("                [\n%s\n                ]", lines)
  })
  raw <- paste(forks, collapse = ",\n")
  sprintf(result_layout, forks_of_cell, iterations_of_fork, number, mean(rows), raw)
}

#' Results of cells in files of 100.
write_results <- function(folder, cells, slower) {
  dir.create(folder, recursive = TRUE)
  for (file in split(seq_len(cells), (seq_len(cells) - 1L) %/% 100L)) {
    texts <- vapply(
      file, function(number) result_text(number, (100 + number) * if (number %% 10 == 0) slower else 1), ""
    )
    writeLines(c("[", paste(texts, collapse = ",\n"), "]"), file.path(folder, sprintf("%05d.json", file[1])))
  }
}

#' Run a tool twice: its wall time in seconds, and the most memory that it and its children had at any time, in MB. To
#' watch the memory holds the processes up, so they are timed unwatched.
measured <- function(tool, ...) {
  begin <- proc.time()[["elapsed"]]
  run_tool(tool, ..., watch = function(process) process$wait())
  seconds <- proc.time()[["elapsed"]] - begin
  most <- 0
  run_tool(tool, ..., watch = function(process) {
    while (process$is_alive()) {
      most <<- max(most, memory_of(process$get_pid()))
      process$wait(100)
    }
  })
  c(seconds = seconds, megabytes = most)
}

run_tool <- function(tool, ..., watch) {
  process <- processx::process$new(file.path(R.home("bin"), "Rscript"), c(file.path(analysis_dir, "run.R"), tool, ...))
  watch(process)
  status <- process$get_exit_status()
  if (!status %in% 0:1) stop(tool, " ended with status ", status)
}

#' Memory of a process and its children: pages that they share count once.
memory_of <- function(pid) {
  family <- tryCatch(
    vapply(c(list(ps::ps_handle(pid)), ps::ps_children(ps::ps_handle(pid), recursive = TRUE)), ps::ps_pid, 0L),
    error = function(problem) integer()
  )
  sizes <- vapply(family, function(member) {
    lines <- tryCatch(
      suppressWarnings(readLines(sprintf("/proc/%d/smaps_rollup", member))), error = function(problem) ""
    )
    sum(as.numeric(sub("^Pss: *(\\d+) kB$", "\\1", grep("^Pss: ", lines, value = TRUE))))
  }, 0)
  sum(sizes) / 1024
}

measure_tools <- function() {
  arguments <- read_arguments(
    list(
      rows = list(text = "numbers of iterations, 1e5,1e6,1e7 if left out")
    ), "Prints what the tools for anybody's data take.", commandArgs(TRUE)
  )
  set.seed(20260101)
  work <- tempfile("performance")
  for (rows in as.numeric(strsplit(arguments$rows %||% "1e5,1e6,1e7", ",", fixed = TRUE)[[1]])) {
    raw <- file.path(work, format(rows))
    cells <- as.integer(rows / forks_of_cell / iterations_of_fork / 2)
    write_results(file.path(raw, "baseline"), cells, 1)
    write_results(file.path(raw, "candidate"), cells, 1.1)
    size <- sum(file.size(list.files(raw, recursive = TRUE, full.names = TRUE))) / 2^20
    summarised <- measured("summarise", "--raw", raw, "--out", file.path(work, "out"))
    compared <- measured(
      "compare", "--baseline", file.path(raw, "baseline"), "--candidate", file.path(raw, "candidate"), "--out",
      file.path(work, "out")
    )
    cat(sprintf(
      "%8.0f iterations, %4.0f MB: summarised in %5.1f s, compared in %5.1f s, both %5.1f s; memory %4.0f MB\n",
      2 * cells * forks_of_cell * iterations_of_fork, size, summarised[["seconds"]], compared[["seconds"]],
      summarised[["seconds"]] + compared[["seconds"]], max(summarised[["megabytes"]], compared[["megabytes"]])
    ))
    unlink(raw, recursive = TRUE)
  }
}
measure_tools()
