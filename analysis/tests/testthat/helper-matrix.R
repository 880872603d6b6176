# The data of a report on a made-up matrix: the environments of helper-claims.R, both CPU profiles, and another machine.

matrix_claims <- list(
  K1 = list(text = "AES is the fastest", form = "best-of", among = list(workload = "encrypt"),
            compare = list(factor = "cipher", levels = list("AES", "DES"))),
  K5 = list(text = "Linux is faster than Windows", form = "ratio-below", parameters = list(limit = 1), ratios = list(
    list(numerator = list(platform = "linux"), denominator = list(platform = "windows"))
  )),
  S7 = list(text = "The order is the same", form = "same-order",
            compare = list(factor = "cipher", levels = list("AES", "Blowfish", "DES")),
            across = list(factor = "cpu-profile", levels = list("native", "core2")))
)

#' The report's data, made by the analysis from made-up forks.
#'
#' @param ids environments; `profiles`; `other` whether another machine sent a round of its own
matrix_example <- function(ids = vapply(matrix_environments, function(x) x$id, ""), profiles = c("native", "core2"),
                           other = TRUE) {
  set.seed(12)
  slower <- function(environment, profile, cipher) {
    (if (startsWith(environment, "wine")) 1.5 else 1) * (if (profile == "core2" && cipher == "AES") 20 else 1)
  }
  forks <- matrix_forks(ids, profiles, slower)
  if (other) forks <- rbind(forks, matrix_forks("kit-ab12", "native")[, machine_id := "ab12cd34ef56"])
  forks[, `:=`(steady_from = 1, pauses = 0L, pause_ms = 0, process_cpu_ns_per_op = cpu_ns_per_op)]
  definitions <- made_up_definitions(matrix_claims)
  kit <- list(id = "kit-ab12", label = "Windows 11 (kit)", os = "Windows 11", system = "kit-ab12", platform = "windows",
              jdk = "OpenJDK 21", jdk_id = "21+35", java = 21, tags = list())
  definitions$environments <- c(matrix_environments, list(kit))
  definitions$cpu_profiles <- list(native = list(label = "as the machine is"), core2 = list(label = "Core 2 class"))
  study <- definitions$experiments[[1]]
  study[c("title", "study", "protocols", "providers", "choices")] <- list(
    "A study", list(authors = "N. N.", year = 2008, where = "here", then = "Something."),
    list("steady-state" = list(mode = "average-time", warmup = "steady-state", iterations = 20, iteration_ms = 100)),
    list("sunjce"), list()
  )
  definitions$experiments[[1]] <- study
  rounds <- unique(forks[, .(experiment, environment, image_id, machine_id, round, number)])
  rounds[, `:=`(
    tier = "quick", engine = "docker", jar_sha256 = "0", started_at = "2026-01-02T03:04:05Z",
    finished_at = "2026-01-02T03:05:05Z", elapsed_s = 60, forks = 4, path = file.path(experiment, environment, round)
  )]
  dir <- tempfile("matrix")
  dir.create(dir)
  found <- resolved(forks, definitions)
  definitions <- found$definitions
  judged <- judge_claims(forks, definitions, found$pairs)
  tables <- c(
    judged[c("contrasts", "verdicts")], drawn_tables(forks, definitions), list(forks = forks, rounds = rounds)
  )
  for (name in names(tables)) write_table(tables[[name]], file.path(dir, paste0(name, ".csv")))
  for (i in seq_len(nrow(rounds))) {
    folder <- file.path(dir, rounds$path[i], "jvm")
    dir.create(folder, recursive = TRUE)
    for (profile in profiles) writeLines(made_up_flags(profile), file.path(folder, sprintf("flags-%s.txt", profile)))
  }
  file <- file.path(dir, "definitions.json")
  jsonlite::write_json(definitions, file, auto_unbox = TRUE, null = "null")
  published <- file.path(dirname(analysis_dir), "data", "published")
  read_report_data(dir, file, published, dir, file.path(analysis_dir, "validity.csv"))
}
