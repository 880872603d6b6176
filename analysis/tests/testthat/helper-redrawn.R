# A made-up run of parts of the five studies, for the tests of then and now and of the studies' own figures.

redrawn_definitions <- function() {
  one <- function(id, study, workloads, factors, providers = list("sunjce"), ...) {
    list(
      id = id, title = id, measure = "wall", study = list(id = study, authors = "N. N.", where = "here", then = ""),
      workloads = setNames(lapply(workloads, function(name) list()), workloads), factors = factors,
      providers = as.list(providers), protocols = example_definitions$experiments[[1]]$protocols, choices = list(),
      claims = list(), ...
    )
  }
  levels <- function(...) setNames(lapply(c(...), function(name) list()), c(...))
  definitions <- example_definitions
  definitions$environments[[1]]$platform <- "linux"
  definitions$environments[[2]]$platform <- "windows"
  definitions$cpu_profiles <- list(native = list(label = "as it is"), core2 = list(label = "Core 2 class"))
  definitions$experiments <- list(
    example_definitions$experiments[[1]],
    one("kofahi2013", "kofahi2013", c("generate-key", "encrypt"), list(
      cipher = levels("AES", "DES", "Blowfish"), size = levels("100 KB", "1 MB")
    )),
    one("chromiak", "chromiak", c("chain"), list(cipher = levels("AES", "DES")), c("bouncycastle-1.38", "sunjce")),
    one("ibm-jsse-suites", "ibm-jsse", "log-on", list(
      suite = levels("RC4-128", "AES-128"), session = levels("cached", "uncached")
    ), "sunjsse"),
    one("stegerer2008-providers", "stegerer2008", "hash", list(
      digest = list(MD5 = list(level = 0), "SHA-256" = list(level = 3))
    ), c("sunjce", "bouncycastle-1.38")),
    one("mine", "mine", "hash", list(digest = levels("MD5")))
  )
  definitions
}

redrawn_cells <- function() {
  files <- CJ(
    experiment = "kofahi2013", workload = "encrypt", factor.cipher = c("AES", "DES", "Blowfish"),
    factor.size = c("100 KB", "1 MB"), environment = c("a-17", "b-21"), protocol = c("as-published", "steady-state")
  )
  keys <- CJ(
    experiment = "kofahi2013", workload = "generate-key", factor.cipher = c("AES", "DES", "Blowfish"),
    environment = "b-21", protocol = c("as-published", "steady-state")
  )
  weblog <- CJ(
    experiment = "phenry2014", workload = c("rsa-encrypt", "rsa-decrypt"), "factor.rsa-bits" = c("1024", "2048"),
    environment = "b-21", protocol = c("as-published", "steady-state")
  )
  chain <- CJ(
    experiment = "chromiak", workload = "chain", factor.cipher = c("AES", "DES"),
    provider = c("bouncycastle-1.38", "sunjce"), environment = "b-21", protocol = "as-published"
  )
  tls <- CJ(
    experiment = "ibm-jsse-suites", workload = "log-on", factor.suite = c("RC4-128", "AES-128"),
    factor.session = c("cached", "uncached"), provider = "sunjsse", environment = "b-21", protocol = "steady-state",
    cpu_profile = c("native", "core2")
  )
  hash <- CJ(
    experiment = "stegerer2008-providers", workload = "hash", factor.digest = c("MD5", "SHA-256"),
    provider = c("sunjce", "bouncycastle-1.38"), environment = "b-21", protocol = "steady-state"
  )
  own <- data.table(
    experiment = "mine", workload = "hash", factor.digest = "MD5", environment = "b-21", protocol = "steady-state"
  )
  cells <- rbindlist(list(files, keys, weblog, chain, tls, hash, own), fill = TRUE)
  for (name in names(cells)) set(cells, which(is.na(cells[[name]])), name, switch(
    name, provider = "sunjce", cpu_profile = "native", ""
  ))
  cells[, `:=`(ns = 1e5 * .I, cell = do.call(paste, cells))][]
}

# What was observed in their forks.
redrawn_observed <- function(forks) {
  fork_key <- c("experiment", "environment", "round", "fork")
  rbind(
    forks[workload == "chain", .(
      measure = paste0("step.", c("generate-key", "create-cipher", "initialise", "encrypt", "decrypt")),
      value = c(5e6, 1e5, 2e5, 3e5, 4e5) * stats::runif(5, 0.9, 1.1), sd = 1
    ), by = fork_key],
    forks[experiment == "kofahi2013" & workload == "encrypt", .(
      measure = c("user", "system"), value = c(2e6, 2e5) * stats::runif(2, 0.9, 1.1), sd = NA_real_
    ), by = fork_key],
    forks[workload == "log-on", .(
      measure = c("client-utilisation", "server-utilisation", "throughput"),
      value = c(0.3, 0.6, 800) * stats::runif(3, 0.9, 1.1), sd = 1
    ), by = fork_key]
  )
}

#' The data of the made-up run; `keep` chooses cells.
redrawn_example <- function(keep = function(cells) cells) {
  set.seed(11)
  definitions <- redrawn_definitions()
  forks <- made_up_forks(keep(redrawn_cells()), count = 4)
  forks[, `:=`(fork = .I, valid = TRUE, stage = 1L, steady_from = 1)]
  observed <- redrawn_observed(forks)
  dir <- tempfile("tidy")
  dir.create(dir)
  tables <- c(drawn_tables(forks, definitions, observed), list(forks = forks))
  for (name in names(tables)) write_table(tables[[name]], file.path(dir, paste0(name, ".csv")))
  file <- file.path(dir, "definitions.json")
  jsonlite::write_json(definitions, file, auto_unbox = TRUE, null = "null")
  published <- file.path(dirname(analysis_dir), "data", "published")
  read_report_data(dir, file, published, dir)
}
