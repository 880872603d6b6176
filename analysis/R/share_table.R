# Where the variance of times comes from, as a table: a row per experiment, machine and source, and where several
# machines measured the same cells a row per experiment and level, of which the machine is the highest.

share_columns <- c(
  "share_id", "experiment", "machine_id", "protocol", "measure", "component", "variance", "share", "lower", "upper",
  "levels", "compared", "confounded", "apart"
)

#' The decomposition of every experiment and machine with several combinations of environment and CPU profile, under
#' the last protocol; and of every experiment between and within the machines that measured the same cells.
#'
#' @param forks the table `forks.csv`, of forks that count; `definitions` of definitions.json
#' @return the table `variance_shares.csv` of the dictionary; the sources in the order of `variance_shares`
share_table <- function(forks, definitions) {
  parts <- environment_parts(definitions, unique(forks$environment))
  rows <- lapply(definitions$experiments, function(study) {
    name <- study$measure %||% "wall"
    last <- utils::tail(names(study$protocols), 1)
    own <- forks_by_measure(forks[experiment == study$id & protocol %in% last])[measure == name & mean_ns > 0]
    each <- lapply(split(own, by = "machine_id"), function(here) {
      if (nrow(unique(here[, .(environment, image_id, cpu_profile)])) < 2) return(NULL)
      cbind(here[1, .(experiment, machine_id, protocol, measure)], share_rows(here, parts))
    })
    rbindlist(c(each, list(machine_rows(own))), use.names = TRUE)
  })
  blank <- as.data.table(sapply(setdiff(share_columns, "share_id"), function(column) character()))
  table <- rbindlist(c(list(blank), rows), use.names = TRUE)[, share_id := sprintf("s%d", .I)]
  table[, share_columns, with = FALSE]
}

share_rows <- function(forks, parts) {
  at <- match(forks$environment, parts$environment)
  work <- c("workload", factor_columns(forks))
  found <- variance_shares(forks[, .(
    unit = do.call(paste, c(.SD, sep = "\r")), system = parts$system[at], jdk = parts$jdk[at], cpu_profile, provider,
    mean = mean_ns, sd = sd_ns, iterations = measured_iterations
  ), .SDcols = work])
  sources <- data.table(component = union(matrix_factors, found$components$component))
  rows <- found$components[sources, on = "component"]
  main <- found$blocks[block == 1]
  rows[, compared := vapply(component, function(name) {
    if (!name %in% matrix_factors) return("")
    joined((if (is.finite(rows[component == name]$variance)) main else found$blocks)[[name]])
  }, "")]
  outside <- unique(found$blocks[block > 1, found$confounded, with = FALSE])
  apart <- if (ncol(outside) > 0) do.call(paste, c(outside, sep = "|")) else character()
  rows[, `:=`(confounded = component %in% found$confounded, apart = fifelse(component == "joint", joined(apart), ""))][]
}

#' The rows over machines, whose `machine_id` is empty; NULL where no cell was measured on two. Kits whose JVM is the
#' same one are machines of one environment, as in verdicts over machines.
machine_rows <- function(forks) {
  if (uniqueN(forks$machine_id) < 2) return(NULL)
  at <- fifelse(forks$environment == paste0("kit-", forks$machine_id), "kit", forks$environment)
  named <- forks[, c("image_id", "cpu_profile", "provider", "workload", factor_columns(forks)), with = FALSE]
  found <- machine_shares(forks[, .(
    unit = do.call(paste, c(list(at), named, sep = "\r")), machine = machine_id, round = paste(environment, round),
    mean = mean_ns, sd = sd_ns, iterations = measured_iterations
  )])
  if (is.null(found)) return(NULL)
  found[component != "machine", levels := NA_integer_]
  found[, `:=`(compared = "", confounded = FALSE, apart = "")]
  shared <- unique(data.table(at, named, machine_id = forks$machine_id))
  shared <- shared[, if (.N > 1) .SD, by = c("at", names(named))]
  found[component == "machine", compared := joined(shared$machine_id)]
  cbind(forks[1, .(experiment, machine_id = "", protocol, measure)], found)
}

joined <- function(values) paste(sort(unique(values), method = "radix"), collapse = ";")
