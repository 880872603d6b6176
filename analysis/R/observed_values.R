# Reduces observations to one value per fork and measure, for measures other than time. The prefix of a measure's name
# determines how its value is derived. Parts of an operation (ns) are `step.<name>`. Parts of a step that only the
# first operation has are `part.<step>.<name>`. Sums over an interval of clock time are `load.<name>`. Counts of the
# 256 byte values are `bytes.<name>`.

observed_columns <- columns_of("observed.csv")

#' The table observed.csv.
#'
#' @param observations rows of all rounds; `iterations` of `mark_measured`
#'
#' @return data.table: `fork_key`, `measure`, `value` and `sd`. The value is the mean over the measured iterations. For
#'   a derived measure it is the value that the dictionary defines. Column `sd` is the standard deviation between
#'   iterations. It is NA for a measure derived from sums.
observed_values <- function(observations, iterations) {
  marked <- iterations[, c(fork_key, "iteration", "measured"), with = FALSE]
  numbers <- marked[observations[!nzchar(counts)], on = c(fork_key, "iteration")]
  kept <- numbers[measured == TRUE]
  whole <- kept[!startsWith(measure, "part.")]
  plain <- whole[, .(value = mean(value), sd = stats::sd(value)), by = c(fork_key, "measure")]
  first <- kept[iteration == 1, fork_key, with = FALSE]
  later <- step_values(kept[iteration > 1][unique(first), on = fork_key, nomatch = NULL])
  later <- later[!grepl("^(median-)?step-ratio[.]", measure)]
  if (nrow(later) > 0) later[, measure := paste0("later.", measure)]
  counted <- marked[observations[nzchar(counts)], on = c(fork_key, "iteration")]
  rows <- rbind(
    plain, step_values(kept), later, load_values(kept), byte_values(counted), latency_values(counted[measured == TRUE]),
    fill = TRUE
  )
  setorderv(rows, c(fork_key, "measure"))
  rows[]
}

no_values <- function() {
  data.table(
    experiment = character(), environment = character(), round = character(), fork = numeric(), measure = character(),
    value = numeric(), sd = numeric()
  )
}

#' Values derived from the times of steps.
#'
#' - `total`: all steps, ns per operation
#'
#' - `share.<step>`: the step's share of that total
#'
#' - `key-over-encrypt`: the time of the step generate-key over that of the step encrypt
#'
#' - each of these with the suffix `.without-<part>`, where a step has a part
#'
#' - `step-ratio.<a>.<b>`: the time of step a over that of step b
#'
#' - `median-step-ratio.<a>.<b>`: the same ratio of the steps' medians over the iterations. The first calls of a cold
#'   JVM dominate a sum, but not a median.
step_values <- function(kept) {
  steps <- kept[startsWith(measure, "step.")]
  if (nrow(steps) == 0) return(no_values())
  totals <- steps[, .(ns = sum(value)), by = c(fork_key, "iteration")]
  total <- totals[, .(measure = "total", value = mean(ns), sd = stats::sd(ns)), by = fork_key]
  shares <- steps[, .(ns = sum(value)), by = c(fork_key, "measure")]
  shares[, `:=`(step = sub("^step\\.", "", measure), whole = sum(ns)), by = fork_key]
  shares[, encrypt := sum(ns[step == "encrypt"]), by = fork_key]
  shares[total, total := i.value, on = fork_key]
  parts <- kept[startsWith(measure, "part."), .(taken = sum(value)), by = c(fork_key, "measure")]
  parts[, `:=`(step = sub("^part\\.([^.]+)\\..*$", "\\1", measure), part = sub("^part\\.[^.]+\\.", "", measure))]
  less <- shares[parts[, c(fork_key, "step", "part", "taken"), with = FALSE], on = c(fork_key, "step"), nomatch = NULL]
  keyed <- function(rows) rows[step == "generate-key" & encrypt > 0]
  rbind(
    total,
    shares[, .(measure = paste0("share.", step), value = ns / whole), by = fork_key],
    step_ratios(shares, "step-ratio"),
    step_ratios(steps[, .(ns = stats::median(value)), by = c(fork_key, "measure")], "median-step-ratio"),
    keyed(shares)[, .(measure = "key-over-encrypt", value = ns / encrypt), by = fork_key],
    less[, .(
      measure = paste0("share.", step, ".without-", part), value = (ns - taken) / (whole - taken)
    ), by = fork_key],
    less[, .(measure = paste0("total.without-", part), value = total * (1 - taken / whole)), by = fork_key],
    keyed(less)[, .(
      measure = paste0("key-over-encrypt.without-", part), value = (ns - taken) / encrypt
    ), by = fork_key],
    fill = TRUE
  )
}

#' The time of every step over that of every other one. A step whose time is below the clock's resolution is never a
#' denominator.
#'
#' @param times `ns` of each `measure` (`step.<name>`) of each fork; `name` the prefix of the quotients' names
step_ratios <- function(times, name) {
  times <- times[, c(fork_key, "ns"), with = FALSE][, step := sub("^step\\.", "", times$measure)]
  pairs <- merge(times, times, by = fork_key, suffixes = c("", ".below"), allow.cartesian = TRUE)
  pairs[step != step.below & ns.below > 0][
    , .(measure = sprintf("%s.%s.%s", name, step, step.below), value = ns / ns.below), by = fork_key
  ]
}

#' Statistics of the byte counts. They use all iterations, since bytes don't warm up.
#'
#' - `deviation.<name>`: the root of the mean squared ratio of the counts' standard deviation to the one expected by
#'   chance. That variance is N / 256, so the squared ratio is chi-square / 255.
#'
#' - `counts-sd.<name>`: the root of the mean variance of the counts
#'
#' - `uneven-share.<name>`: the share of streams in which not every count is the same
#'
#' - `low16-zero-share.<name>`, `low32-zero-share.<name>`: the share of the value 0 among the bytes 0 to 15, and 0 to
#'   31
#'
#' - `entropy.<name>`: in bits per byte
#'
#' - `zero-share.<name>`, `top-share.<name>`: the shares of the value 0 and of the most frequent value
#'
#' - `length.<name>`: in bytes
byte_values <- function(observations) {
  rows <- observations[startsWith(measure, "bytes.")]
  if (nrow(rows) == 0) return(no_values())
  # A table for each of tens of thousands of rows would take longer than all of these numbers.
  stats <- vapply(strsplit(rows$counts, ";", fixed = TRUE), function(text) {
    counts <- as.numeric(text)
    if (length(counts) != 256) {
      refuse("observations.csv", sprintf("has %d byte counts", length(counts)), "256", "measure the round again")
    }
    found <- byte_uniformity(counts)
    n <- sum(counts)
    c(
      square = found$chi_square / 255, variance = stats::var(counts), low16 = counts[1] / max(sum(counts[1:16]), 1),
      low32 = counts[1] / max(sum(counts[1:32]), 1), entropy = found$entropy, zero = counts[1] / n, top = found$max / n,
      length = n
    )
  }, numeric(8))
  rows <- cbind(rows[, c(fork_key, "measure"), with = FALSE], as.data.table(t(stats)))
  rows[, name := sub("^bytes\\.", "", measure)]
  means <- rows[, .(
    deviation = sqrt(mean(square)), "counts-sd" = sqrt(mean(variance)),
    "uneven-share" = mean(variance > 0), entropy = mean(entropy),
    "zero-share" = mean(zero), "low16-zero-share" = mean(low16), "low32-zero-share" = mean(low32),
    "top-share" = mean(top), length = mean(length)
  ), by = c(fork_key, "name")]
  long <- melt(means, id.vars = c(fork_key, "name"), variable.factor = FALSE, variable.name = "kind")
  long[, .(measure = paste(kind, name, sep = "."), value), by = fork_key]
}

#' Forks by measure: adds the measures of observed.csv to wall and cpu.
#'
#' @param long of `forks_by_measure`; `observed` the table observed.csv, or NULL
with_observed <- function(long, observed) {
  if (is.null(observed) || nrow(observed) == 0) return(long)
  # The operations of a programme share its fork. The values observed in that fork belong to the programme.
  forks <- unique(long[measure == "wall"], by = fork_key)[, c("measure", "mean_ns", "sd_ns") := NULL]
  own <- observed[, observed_columns, with = FALSE]
  setnames(own, c("value", "sd"), c("mean_ns", "sd_ns"))
  rbind(long, forks[own, on = fork_key, nomatch = NULL], use.names = TRUE)
}

#' Lists of numbers as one vector.
#'
#' @param text whole numbers separated by semicolons; a single one is followed by a semicolon
#' @return list: `values` of all lists one after the other, and `lengths` of the lists
split_counts <- function(text) {
  text <- sub(";$", "", text)
  lengths <- nchar(text, "bytes") - nchar(gsub(";", "", text, fixed = TRUE), "bytes") + 1L
  if (length(text) == 0) return(list(values = numeric(), lengths = integer()))
  # fread takes a seventh of the time of strsplit.
  lines <- paste0(chartr(";", "\n", paste(text, collapse = ";")), "\n")
  list(values = fread(lines, header = FALSE, colClasses = "numeric")[[1]], lengths = lengths)
}

#' Counts of tidy observations in long form, for counts.csv.gz: `position` is 0, 1, ... in each list. Counts of 0 are
#' left out: most of a list of latencies is 0. Counts of byte values are summed over a fork's iterations, and have no
#' iteration.
long_counts <- function(observations) {
  rows <- observations[nzchar(counts) & !measure %in% names(call_columns)]
  lists <- split_counts(rows$counts)
  counted <- which(lists$values > 0)
  long <- rows[rep(seq_len(.N), lists$lengths)[counted], c(fork_key, "iteration", "measure"), with = FALSE][, `:=`(
    position = (sequence(lists$lengths) - 1L)[counted], count = lists$values[counted]
  )]
  bytes <- startsWith(long$measure, "bytes.")
  summed <- long[bytes, .(iteration = NA_real_, count = sum(count)), keyby = c(fork_key, "measure", "position")]
  rbind(long[!bytes], setcolorder(summed, names(long)))
}

# What forks observed other than time: observations.csv of a round. A round has no such file if none of its workloads
# observes anything.

#' observations.csv as a table.
#'
#' @param folder a round's directory
#'
#' @return data.table: `fork`, `iteration`, `measure`, `value`, `counts`. The value is a number, or NA if the row has
#'   counts. The counts are text, which is empty if the row has a number. They are whole numbers separated by
#'   semicolons; a single one is followed by a semicolon.
read_observations_csv <- function(folder) {
  file <- file.path(folder, "observations.csv")
  if (!file.exists(file)) return(no_observations())
  rows <- read_csv_strictly(file, types = "character")
  for (column in c("fork", "iteration")) set(rows, j = column, value = as.numeric(rows[[column]]))
  listed <- grepl(";", rows$value, fixed = TRUE)
  number <- as.numeric(fifelse(listed, NA_character_, rows$value))
  rows[, `:=`(value = number, counts = fifelse(listed, rows$value, ""))][]
}

no_observations <- function() {
  data.table(fork = numeric(), iteration = numeric(), measure = character(), value = numeric(), counts = character())
}

# Percentiles of latencies from counts in bins.

#' Upper end of a latency bin in ns: 1000 * 2^(position / 16), as jcarerun.tls.Latencies has it.
latency_bin_ns <- function(position) 1000 * 2^(position / 16)

#' `latency.p50`, `latency.p90`, `latency.p99`, `latency.max` of each fork, over all the iterations given. Each is the
#' upper end of the bin that contains the percentile, so it is at most 4.4 % too long.
#'
#' @param counted rows of observations with `counts`
#' @return data.table: `fork_key`, `measure`, `value`
latency_values <- function(counted) {
  rows <- counted[measure == "latency"]
  if (nrow(rows) == 0) return(no_values())
  rows[, .(
    measure = c("latency.p50", "latency.p90", "latency.p99", "latency.max"),
    value = bin_percentiles(Reduce(`+`, lapply(strsplit(counts, ";", fixed = TRUE), as.numeric)), c(0.5, 0.9, 0.99, 1))
  ), by = fork_key]
}

#' The smallest bin end at or below which a given share of all counts lies.
bin_percentiles <- function(counts, shares) {
  reached <- cumsum(counts)
  if (reached[length(reached)] == 0) return(rep(NA_real_, length(shares)))
  wanted <- ceiling(shares * reached[length(reached)])
  latency_bin_ns(vapply(wanted, function(count) which(reached >= count)[1] - 1, 0))
}

# Reduces loads to one value per fork and measure: the work of client and server, summed over the fork.

#' Values derived from `load.<name>` observations.
#'
#' - `throughput`: operations per second
#'
#' - `client-jvm-cpu`, `server-jvm-cpu`: CPU time of a side's whole JVM, ns per operation
#'
#' - `client-utilisation`, `server-utilisation`: that CPU time over the elapsed time, i.e. the number of CPUs in use.
#'   It is the share of the CPU where a side has one.
#'
#' - `busier-utilisation`: the greater of the two
#'
#' - `both-utilisation`: their sum
#'
#' - `server-per-client`: their ratio
#'
#' - `server-jit-share`: time in which the server's compilers worked, over the elapsed time
#'
#' - `done-before`: operations of the fork before the first one that counts
#'
#' All are computed from sums over the fork, for two reasons. The system counts a JVM's CPU time in ticks that are long
#' compared with a short iteration. The iterations of a cold JVM differ in length. A utilisation is exactly a side's
#' CPU time per operation times the operations per second.
#'
#' @param kept observations of the iterations that count: `measure`, `value`
#' @return data.table: `fork_key`, `measure`, `value`
load_values <- function(kept) {
  rows <- kept[startsWith(measure, "load.")]
  if (nrow(rows) == 0) return(no_values())
  sums <- rows[, .(total = sum(value), first = value[which.min(iteration)]), by = c(fork_key, "measure")]
  forks <- unique(sums[, fork_key, with = FALSE])
  of <- function(name, column = "total") sums[measure == sprintf("load.%s", name)][forks, on = fork_key][[column]]
  seconds <- of("span") / 1e9
  client <- of("client") / of("span")
  server <- of("server") / of("span")
  done <- of("done")
  values <- list(
    throughput = done / seconds, "client-jvm-cpu" = of("client") / done, "server-jvm-cpu" = of("server") / done,
    "client-utilisation" = client, "server-utilisation" = server, "busier-utilisation" = pmax(client, server),
    "both-utilisation" = client + server, "server-per-client" = server / client,
    "server-jit-share" = of("server-jit") / of("span"), "done-before" = of("before", "first")
  )
  long <- rbindlist(lapply(names(values), function(name) data.table(forks, measure = name, value = values[[name]])))
  long[is.finite(value)]
}

#' Total time for which a fork's threads were stopped, and the pauses that its collector reports. The measures are
#' `gc.stopped`, `gc.reported` (ms, over the JVM's whole life) and `gc.stopped-over-reported`. A fork whose collector
#' reports no pause has none of them.
#'
#' @param pauses of all rounds, with `side`; `reported` of `read_pauses`, with the keys of forks
#' @return data.table: `fork_key`, `measure`, `value`, `sd` (NA)
stopped_values <- function(pauses, reported) {
  sums <- pauses[side == "fork", .(stopped_ms = sum(pause_ms)), by = fork_key]
  rows <- sums[reported[reported_ms > 0], on = fork_key, nomatch = NULL]
  if (nrow(rows) == 0) return(no_values())
  rows[, .(
    measure = c("gc.reported", "gc.stopped", "gc.stopped-over-reported"),
    value = c(reported_ms, stopped_ms, stopped_ms / reported_ms), sd = NA_real_
  ), by = fork_key]
}

# Tests whether bytes are evenly distributed, as those of a good cipher or hash are.

#' Pearson's chi-square test of even counts, Shannon's entropy, and the spread of the counts.
#'
#' chi^2 = sum (count - N/256)^2 / (N/256), with 255 degrees of freedom. p is its upper tail. It is small for bytes
#' that are too uneven, and near 1 for bytes that are too even to be random. H = -sum p log2 p, in bits per byte.
#'
#' @param counts of the 256 byte values
#' @return list: `chi_square`, `p`, `entropy`, `sd` (of the counts, n - 1), `min`, `max`
byte_uniformity <- function(counts) {
  expected <- sum(counts) / length(counts)
  chi_square <- sum((counts - expected)^2) / expected
  share <- counts[counts > 0] / sum(counts)
  list(
    chi_square = chi_square, p = stats::pchisq(chi_square, length(counts) - 1, lower.tail = FALSE),
    entropy = -sum(share * log2(share)), sd = stats::sd(counts), min = min(counts), max = max(counts)
  )
}

# CPU time of a fork's whole JVM, user and system separately, for studies that plot CPU time.

# The system counts in ticks of 10 ms, and a part of an iteration's time may be shorter than a tick. A cell's forks
# need a mean of ten ticks, user and system together; otherwise none of them has a row. A limit for each fork, or for
# one part, would select the forks with high values.
least_cpu_ns <- 1e8

#' The table observed.csv with `user` and `system` of some experiments. Both are in ns per operation, from sums over a
#' fork's measured iterations.
#'
#' @param observed of `observed_values`; `iterations`, `forks` of `tidy_rounds`
#'
#' @param experiments ids of the experiments whose CPU time is reported in two parts
#'
#' @return `observed` with two more rows for each fork of these experiments. There are none if the system does not
#'   report these times, or if the mean sum of a cell's forks is below `least_cpu_ns`.
with_cpu_parts <- function(observed, iterations, forks, experiments) {
  sums <- iterations[experiment %in% experiments & measured == TRUE, .(
    user = sum(process_user_ns), system = sum(process_system_ns), operations = sum(all_operations)
  ), by = fork_key]
  sums[forks, cell := i.cell, on = fork_key]
  sums[, enough := mean(user + system) >= least_cpu_ns, by = .(experiment, environment, cell)]
  sums <- sums[enough %in% TRUE][, c("cell", "enough") := NULL]
  if (nrow(sums) == 0) return(observed)
  parts <- melt(sums, id.vars = c(fork_key, "operations"), variable.name = "measure", variable.factor = FALSE)
  parts[, `:=`(value = value / operations, operations = NULL)]
  setorderv(rbind(observed, parts, fill = TRUE), c(fork_key, "measure"))[]
}
