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
  published <- published_values(published_folder)
  tables <- list(
    published_ratios = published_ratios(example_definitions["experiments"], published),
    forks = forks, cells = cells, ratios = ratio_table(timed, example_definitions),
    verdicts = verdicts, contrasts = contrasts, rounds = rounds, pauses = pauses, iterations = iterations, notes = notes
  )
  for (name in names(tables)) data.table::fwrite(tables[[name]], file.path(dir, paste0(name, ".csv")))
}

#' The data that figures and tables are made from, read as the report reads them.
#'
#' @param write function(dir) that writes the tidy tables there
example_data <- function(definitions, write, published = published_folder) {
  dir <- new_folder()
  write(dir)
  file <- file.path(dir, "definitions.json")
  jsonlite::write_json(definitions, file, auto_unbox = TRUE, null = "null")
  read_report_data(dir, file, published, dir)
}

report_example <- made_once(function() example_data(example_definitions, write_report_example))

#' The tables of a run of forks: those that figures draw, made by the analysis.
write_run_example <- function(forks, definitions, observed) {
  function(dir) {
    tables <- list(
      cells = cell_means(forks), ratios = ratio_table(forks, definitions, observed),
      observed_means = observed_means(forks, observed), forks = forks
    )
    for (name in names(tables)) write_table(tables[[name]], file.path(dir, paste0(name, ".csv")))
  }
}

# A study of providers, two of them native, of which some workloads answer requests at a rate.
provider_example <- made_once(function() {
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
  example_data(definitions, write_run_example(forks, definitions, observed), tempfile("none"))
})

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

#' The data of the made-up run, or of some of its cells.
redrawn_data <- function(cells) {
  set.seed(11)
  definitions <- redrawn_definitions()
  forks <- made_up_forks(cells, count = 4)
  forks[, `:=`(fork = .I, valid = TRUE, stage = 1L, steady_from = 1)]
  example_data(definitions, write_run_example(forks, definitions, redrawn_observed(forks)))
}
redrawn_example <- made_once(function() redrawn_data(redrawn_cells()))

# Holds what figures draw against the rows of the tidy tables, by the rows' ids.

drawn_ids <- list(
  verdicts = "verdict_id", ratios = "ratio_id", observed_means = "observed_id", contrasts = "contrast",
  cells = "row", published = "published_id"
)
drawn_units <- c(1, 100, 1e-3, 1e-6, 1e-9)

# Figures of raw rows (iterations, pauses, counts), which have no estimate for a point or bar.
raw_figures <- "^(iterations|pauses|bytes)"

plots_in <- function(plot) {
  if (!inherits(plot, "patchwork")) return(list(plot))
  c(unlist(lapply(plot$patches$plots, plots_in), recursive = FALSE), list(plot))
}

#' The numbers of a plotted row's own tidy row; none where it names no row, or one that is not there.
tidy_numbers <- function(row, data) {
  for (table in intersect(names(drawn_ids), names(data))) {
    id <- as.list(row)[[drawn_ids[[table]]]]
    if (is.null(id) || is.na(id) || id == "") next
    found <- data[[table]][data[[table]][[drawn_ids[[table]]]] == id]
    if (nrow(found) == 1) return(unlist(Filter(is.double, as.list(found))))
  }
  numeric()
}

#' Every point, bar and tile stands at a number of its row, and no line reaches beyond its row's interval.
expect_rows_drawn <- function(figures, data) {
  checks <- drawn_checks(figures, data)
  expect_gt(length(checks), 0)
  expect_identical(toString(names(checks)[!checks]), "")
}

#' TRUE or FALSE for each number that is drawn, named by where it is.
drawn_checks <- function(figures, data) {
  unlist(lapply(figures, function(figure) {
    if (grepl(raw_figures, figure$id)) return(NULL)
    lapply(plots_in(figure$plot), function(plot) {
      lapply(plot$layers, function(layer) layer_checks(layer, plot, data, figure$id))
    })
  }))
}

layer_checks <- function(layer, plot, data, id) {
  kind <- class(layer$geom)[1]
  ends <- c("xmin", "xmax", "ymin", "ymax")
  aims <- switch(kind,
    GeomPoint = , GeomCol = , GeomBar = c("x", "y"), GeomTile = "fill", GeomLinerange = , GeomErrorbar = ends, NULL
  )
  rows <- if (is.data.frame(layer$data)) layer$data else plot$data
  if (is.null(aims) || !is.data.frame(rows) || nrow(rows) == 0) return(NULL)
  mapping <- utils::modifyList(as.list(plot$mapping), as.list(layer$mapping))
  unlist(lapply(intersect(aims, names(mapping)), function(aim) {
    # A study's own number, and places on an axis that has no numbers.
    if (rlang::as_label(mapping[[aim]]) %in% c("then", "at", "y", "centre", "-row")) return(NULL)
    values <- if (aim == "fill") rows$ratio else rlang::eval_tidy(mapping[[aim]], rows)
    if (!is.numeric(values)) return(NULL)
    at <- which(is.finite(values))
    found <- vapply(at, function(i) {
      own <- tidy_numbers(rows[i, ], data)
      if (aim %in% ends) return(within_interval(values[i], own))
      any(abs(values[i] - outer(own, drawn_units)) <= 1e-9 * abs(values[i]), na.rm = TRUE)
    }, TRUE)
    stats::setNames(found, paste(id, kind, aim, signif(values[at], 4))[seq_along(found)])
  }))
}

#' Whether a line's end lies at or within an interval of the row: it may be cut to the axis, never lengthened.
within_interval <- function(value, own) {
  lower <- own[grep("lower", names(own))]
  upper <- own[grep("upper", names(own))]
  slack <- 1 + c(-1, 1) * 1e-9
  any(vapply(drawn_units, function(unit) {
    any(value >= lower * unit * slack[1] & value <= upper * unit * slack[2], na.rm = TRUE)
  }, TRUE))
}
