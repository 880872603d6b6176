# Rows of claim_pairs.csv for made-up cells. Python alone resolves claims, and the analysis image has no Python: so its
# answers are recorded in fixtures/claim_pairs.json, which bench/tests/claim_fixtures.py writes and a test there checks.

recorded_file <- testthat::test_path("fixtures", "claim_pairs.json")
recorded_pairs <- if (file.exists(recorded_file)) jsonlite::fromJSON(recorded_file, simplifyVector = FALSE) else list()

#' Definitions whose claims have their decisions, and the rows of claim_pairs.csv for the cells of some forks.
#'
#' @return list: `definitions`, `pairs`
resolved <- function(forks, definitions) {
  cells <- unique(forks[, cell_columns(forks), with = FALSE])
  request <- list(
    experiments = definitions$experiments, environments = definitions$environments %||% list(),
    providers = lapply(definitions$providers %||% list(), function(one) list(features = one$features %||% list())),
    cells = list(columns = names(cells), rows = unname(as.list(as.data.table(t(as.matrix(cells))))))
  )
  text <- as.character(jsonlite::toJSON(request, auto_unbox = TRUE, null = "null", na = "null", digits = NA))
  file <- tempfile()
  writeLines(text, file)
  key <- unname(tools::md5sum(file))
  answer <- recorded_pairs[[key]]
  if (is.null(answer)) {
    requests <- testthat::test_path("fixtures", "requests")
    if (!dir.exists(requests)) stop("no rows are recorded for this claim; run `python bench/tests/claim_fixtures.py`")
    writeLines(text, file.path(requests, paste0(key, ".json")))
    testthat::skip("rows of this claim are being recorded")
  }
  rows <- tempfile(fileext = ".csv")
  writeLines(unlist(answer$pairs), rows)
  list(definitions = with_recorded_decisions(definitions, answer), pairs = read_claim_pairs(rows))
}

with_recorded_decisions <- function(definitions, answer) {
  for (i in seq_along(definitions$experiments)) {
    for (claim in names(definitions$experiments[[i]]$claims)) {
      definitions$experiments[[i]]$claims[[claim]]$decision <- answer$decisions[[i]][[claim]]
    }
  }
  definitions
}

#' `judge_claims` of made-up forks.
judge_made_up <- function(forks, definitions, ...) {
  found <- resolved(forks, definitions)
  judge_claims(forks, found$definitions, found$pairs, ...)
}

# Forks with known ratios, without raw rounds, for tests of claims.

#' A table forks.csv: `count` forks per row of `cells`, log-normal around `ns`.
made_up_forks <- function(cells, count = 10, cv = 0.01, environment = "debian-12", protocol = "steady-state") {
  cells <- copy(cells)
  defaults <- list(
    experiment = "kofahi2013", environment = environment, image_id = "sha256:aa", machine_id = "m1",
    protocol = protocol,
    provider = "sunjce", cpu_profile = "native"
  )
  for (name in setdiff(names(defaults), names(cells))) set(cells, j = name, value = defaults[[name]])
  if (!"cell" %in% names(cells)) cells[, cell := sprintf("%s.%d", workload, .I)]
  forks <- cells[rep(seq_len(nrow(cells)), each = count)]
  forks[, `:=`(number = seq_len(.N), fork = .I), by = .(cell, environment, protocol, image_id, machine_id)]
  forks[, `:=`(round = sprintf("r%03d", number), steady = "flat", iterations = 20L, measured_iterations = 20L)]
  forks[, `:=`(warm_up_state = "proven", warm_up_why = "")]
  forks[, wall_ns_per_op := ns * exp(stats::rnorm(.N, 0, cv))]
  forks[, `:=`(cpu_ns_per_op = wall_ns_per_op, sd_within_wall_ns = 1, sd_within_cpu_ns = 1, ns = NULL)]
  forks[]
}

four_ciphers <- function(...) {
  data.table(
    workload = "encrypt", factor.cipher = c("DES", "Triple-DES", "AES", "Blowfish"), factor.size = "100 KB",
    ns = c(3000, 8000, 200, 1500), ...
  )
}

ordered_claim <- function(form, levels, ...) {
  list(form = form, compare = list(factor = "cipher", levels = as.list(levels)), ...)
}
ratio_claim <- function(form, parameters, ...) list(form = form, parameters = parameters, ...)

judged <- function(forks, ...) judge_made_up(forks, made_up_definitions(...))

# Environments of a made-up matrix: three systems, one of them Windows' JVM on Wine, with two JDKs as far as they go.
matrix_environments <- local({
  one <- function(system, os, jdk, label, platform = "linux", caveat = NULL) {
    list(
      id = paste0(system, "-", sub("-.*", "", jdk), "-", sub(".*-", "", jdk)), label = paste0(os, ", ", label), os = os,
      system = system, platform = platform, caveat = caveat, jdk = label, jdk_id = jdk, java = 21, tags = list("quick")
    )
  }
  wine <- "Windows' build of the JVM on Wine, not Windows itself"
  list(
    one("debian-12", "Debian 12", "temurin-17", "Temurin 17"),
    one("debian-12", "Debian 12", "temurin-21", "Temurin 21"),
    one("debian-13", "Debian 13", "temurin-17", "Temurin 17"),
    one("debian-13", "Debian 13", "temurin-21", "Temurin 21"),
    one("wine", "Windows JVM on Wine", "temurin-21", "Temurin 21", "windows", wine)
  )
})

#' Forks of the four ciphers in several environments and CPU profiles.
#'
#' @param ids of `matrix_environments`; `slower` function(environment, profile, cipher) that tells a cell's factor
matrix_forks <- function(ids, profiles = "native", slower = function(environment, profile, cipher) 1, count = 10, ...) {
  each <- CJ(environment = ids, cpu_profile = profiles, sorted = FALSE)
  cells <- rbindlist(lapply(seq_len(nrow(each)), function(i) {
    one <- four_ciphers()[, `:=`(environment = each$environment[i], cpu_profile = each$cpu_profile[i])]
    one[, image_id := paste0("sha256:", environment)]
    one[, cell := paste0("encrypt:", tolower(factor.cipher), ":", cpu_profile)]
    one[, ns := ns * mapply(slower, environment, cpu_profile, factor.cipher)][]
  }))
  made_up_forks(cells, count, ...)
}

matrix_judged <- function(forks, claims) {
  definitions <- made_up_definitions(claims)
  definitions$environments <- matrix_environments
  judge_made_up(forks, definitions)
}
