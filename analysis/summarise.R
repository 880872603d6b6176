# Anybody's JMH results, summarised: Rscript analysis/summarise.R --raw DIR --out DIR

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "rooms.R"), chdir = TRUE)

script("runs", function() {
  arguments <- read_arguments(
    list(
      raw = list(
        text = "directory of JMH result files (-rf json, any JMH 1.x), or of rounds of this project", required = TRUE,
        folder = TRUE
      ),
      out = list(text = "directory for summary.csv", required = TRUE)
    ),
    "Summarises benchmarks: mean over forks, its 95 % interval, spread, and whether the forks were steady."
  )
  run <- read_run(arguments$raw)
  say_passed_over(arguments$raw, run$passed_over)
  write_table(summarise_run(run$forks), out_file(arguments$out, "summary.csv"))
})
