# A small run for the tests of the report: one experiment, two environments, two protocols, three forks a cell.

example_definitions <- list(
  settings = list(tier = "quick", seed = 1, engine = "docker", alpha = 0.05, confidence = 0.95),
  words = list(
    workload = list("rsa-encrypt" = "RSA encryption", "des-encrypt" = "DES encryption"),
    "rsa-bits" = list("1024" = "1024-bit key", "2048" = "2048-bit key"), provider = list(sunjce = "SunJCE")
  ),
  experiments = list(list(
    id = "phenry2014", title = "RSA against DES", measure = "wall",
    study = list(id = "phenry2014", authors = "P. Henry", year = 2014, where = "weblog", then = "JMH 0.9.4."),
    workloads = list(
      "rsa-encrypt" = list(benchmark = "PublicKeyCipher.encrypt"),
      "des-encrypt" = list(benchmark = "SecretKeyCipher.encrypt")
    ),
    factors = list("rsa-bits" = list("1024" = list(bits = 1024), "2048" = list(bits = 2048))),
    providers = list("sunjce"), choices = list("The key size is not given."),
    protocols = list(
      "as-published" = list(mode = "average-time", warmup = 2, iterations = 6, iteration_ms = 10),
      "steady-state" = list(mode = "average-time", warmup = "steady-state", iterations = 6, iteration_ms = 10)
    ),
    claims = list(
      P1 = list(
        text = "RSA costs about 1000 times a DES encryption", form = "ratio-about",
        parameters = list(value = 1000, within = 2),
        published = list(
          quantity = "ratio of RSA to DES, encryption", reading = "value",
          contradicts = list(list(table = list(numerator = "rsa-encrypt", denominator = "des-encrypt")))
        )
      ),
      P5 = list(text = "TLS is as fast as HTTP", form = "not-testable", reason = "no TLS workload", published = NULL)
    )
  )),
  environments = list(
    list(id = "b-21", label = "B, JDK 21", os = "B", jdk = "JDK 21", java = 21),
    list(id = "a-17", label = "A, JDK 17", os = "A", jdk = "JDK 17", java = 17)
  )
)

# Every fork of the small run, as rows of forks.csv.
example_forks <- function() {
  cells <- data.table::CJ(
    environment = c("a-17", "b-21"), protocol = c("as-published", "steady-state"), number = 1:3,
    cell = c("rsa-encrypt:1024", "rsa-encrypt:2048", "des-encrypt")
  )
  cells[, workload := sub(":.*", "", cell)]
  cells[, factor.rsa_bits := ifelse(grepl(":", cell), sub(".*:", "", cell), "")]
  data.table::setnames(cells, "factor.rsa_bits", "factor.rsa-bits")
  cells[, c("experiment", "image_id", "machine_id", "provider", "cpu_profile") :=
          list("phenry2014", paste0("sha256:", environment), "m1", "sunjce", "native")]
  cells[, round := paste0("r", number)]
  cells[, fork := seq_len(.N), by = .(environment, round)]
  cells[, wall_ns_per_op := (if (cell == "des-encrypt") 1e3 else 4e5) * (1 + number / 100), by = cell]
  cells[, cpu_ns_per_op := wall_ns_per_op]
  cells[, c("iterations", "measured_iterations", "steady", "steady_from") := list(6, 4, "flat", 3)]
  cells[]
}

# The tables of the small run, written as the analysis writes them.
write_report_example <- function(dir) {
  forks <- example_forks()
  keys <- c(cell_keys, "factor.rsa-bits")
  cells <- forks[, .(
    measure = "wall", forks = .N, forks_no_steady = 0, mean_ns = mean(wall_ns_per_op), lower_ns = min(wall_ns_per_op),
    upper_ns = max(wall_ns_per_op), half_width_pct = 1, sd_between_ns = 2, sd_within_ns = 3, pooled_half_width_pct = 0.5
  ), by = keys]
  place <- c("experiment", "environment", "image_id", "machine_id", "protocol")
  verdicts <- unique(forks[, place, with = FALSE])
  verdicts[, c("verdict_id", "contrast", "claim", "variant") :=
             list(paste0("v", .I), paste0("c", .I), "P1", "rsa-bits=1024")]
  verdicts[, c("measure", "form", "reason", "contrasts", "forks_min", "p", "p_holm") :=
             list("wall", "ratio-about", "because", 1, 3, 0.01, 0.04)]
  verdicts[, sentence := "rsa-encrypt takes 400 times as long as des-encrypt (sunjce)"]
  verdicts[, c("estimate", "lower", "upper") := list(400, 390, 410)]
  verdicts[, verdict := ifelse(protocol == "steady-state", "does-not-hold", "holds")]
  contrasts <- verdicts[, c(place, "contrast", "claim", "variant", "measure"), with = FALSE]
  contrasts[, c("scope", "numerator", "denominator", "ratio", "lower", "upper", "target_lower", "target_upper") :=
              list("sunjce", "rsa-encrypt", "des-encrypt", 400, 390, 410, 500, 2000)]
  rounds <- unique(forks[, .(experiment, environment, image_id, machine_id, round, number)])
  rounds[, c("tier", "engine", "started_at", "finished_at", "elapsed_s") :=
           list("quick", "docker", "2026-01-02T03:04:05.123Z", "2026-01-02T03:05:05.123Z", 60)]
  rounds[, path := file.path(experiment, environment, round)]
  iterations <- forks[, .(iteration = 1:6), by = .(experiment, environment, round, fork, wall_ns_per_op)]
  iterations[, c("start_epoch_ms", "start_uptime_ms", "duration_ns", "operations", "measured") :=
               list(1e12 + 10 * iteration, 10 * iteration, wall_ns_per_op, 1, iteration > 2)]
  pauses <- forks[, .(uptime_ms = c(10, 20), pause_ms = c(0.5, 2), kind = c("safepoint", "collection")),
                  by = .(experiment, environment, round, fork)]
  notes <- data.table::data.table(level = "warning", where = "here", message = "something")
  timed <- data.table::copy(forks)[, `:=`(
    sd_within_wall_ns = 1, sd_within_cpu_ns = 1, warm_up_state = "proven", warm_up_why = ""
  )]
  published <- published_values(file.path(dirname(analysis_dir), "data", "published"))
  tables <- list(
    published_ratios = published_ratios(example_definitions["experiments"], published),
    forks = forks, cells = cells, ratios = ratio_table(timed, example_definitions),
    verdicts = verdicts, contrasts = contrasts, rounds = rounds, pauses = pauses, iterations = iterations, notes = notes
  )
  for (name in names(tables)) data.table::fwrite(tables[[name]], file.path(dir, paste0(name, ".csv")))
}

# The tables that figures draw, made by the analysis from forks.
drawn_tables <- function(forks, definitions, observed = NULL) {
  c(
    list(
      cells = cell_means(forks), ratios = ratio_table(forks, definitions, observed)
    ),
    if (!is.null(observed)) list(observed_means = observed_means(forks, observed))
  )
}

# The data that figures and tables are made from; `empty` leaves out every table.
report_example <- function(empty = FALSE, definitions = example_definitions) {
  dir <- tempfile("tidy")
  dir.create(dir)
  if (!empty) write_report_example(dir)
  file <- file.path(dir, "definitions.json")
  jsonlite::write_json(definitions, file, auto_unbox = TRUE, null = "null")
  published <- file.path(dirname(analysis_dir), "data", "published")
  read_report_data(dir, file, published, dir)
}

# A study of providers, two of them native, of which some workloads answer requests at a rate.
provider_example <- function() {
  set.seed(3)
  definitions <- example_definitions
  definitions$providers <- list(quick = list(), slow = list(), library = list(native = "openssl"))
  definitions$experiments[[1]] <- utils::modifyList(definitions$experiments[[1]], list(
    id = "offered", not_offered = "mark", providers = list("quick", "slow", "library"), claims = list(),
    workloads = list(encrypt = list(), load = list()), factors = list(rate = list("10" = list(), "20" = list()))
  ))
  cells <- data.table::CJ(
    provider = c("quick", "slow", "library"), protocol = c("as-published", "steady-state"),
    workload = c("encrypt", "load"), factor.rate = c("10", "20"), experiment = "offered", environment = "b-21"
  )
  cells[, `:=`(factor.scheme = "https", ns = 1e5 * .I, cell = paste(workload, factor.rate, provider, protocol))]
  forks <- made_up_forks(cells, count = 4)[, `:=`(fork = .I, valid = TRUE, stage = 1L, steady_from = 1)]
  observed <- forks[workload == "load", .(
    measure = c("throughput", "latency.p50", "latency.p99"), value = c(100, 2e6, 9e6) * stats::runif(1, 1, 2), sd = NA
  ), by = c("experiment", "environment", "round", "fork")]
  dir <- tempfile("tidy")
  dir.create(dir)
  tables <- c(drawn_tables(forks, definitions, observed), list(forks = forks))
  for (name in names(tables)) write_table(tables[[name]], file.path(dir, paste0(name, ".csv")))
  file <- file.path(dir, "definitions.json")
  jsonlite::write_json(definitions, file, auto_unbox = TRUE, null = "null")
  read_report_data(dir, file, tempfile("none"), dir)
}

# One of the functions of tables/.
table_part <- function(name) report_tables()[[name]]
