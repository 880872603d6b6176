# Observations to one value per fork and measure: what is judged beside time. The names of measures tell what is
# derived: `step.<name>` is a part of an operation (ns), `part.<step>.<name>` a part of that step which only the first
# operation has, `load.<name>` a sum over a span of the clock, `bytes.<name>` counts of the 256 byte values.

observed_columns <- c(fork_key, "measure", "value", "sd")

#' The table observed.csv.
#'
#' @param observations rows of all rounds; `iterations` of `mark_measured`
#' @return data.table: `fork_key`, `measure`, `value` (mean over the measured iterations, or what the dictionary says of
#'   a derived measure), `sd` (between iterations; NA where a measure is derived from sums)
observed_values <- function(observations, iterations) {
  marked <- iterations[, c(fork_key, "iteration", "measured"), with = FALSE]
  numbers <- marked[observations[!nzchar(counts)], on = c(fork_key, "iteration")]
  kept <- numbers[measured == TRUE]
  whole <- kept[!startsWith(measure, "part.")]
  plain <- whole[, .(value = mean(value), sd = stats::sd(value)), by = c(fork_key, "measure")]
  first <- kept[iteration == 1, fork_key, with = FALSE]
  later <- step_values(kept[iteration > 1][unique(first), on = fork_key, nomatch = NULL])
  later <- later[!startsWith(measure, "step-ratio.")]
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

#' `total` (all steps, ns per operation), `share.<step>`, `key-over-encrypt` (the time of the step generate-key over
#' that of the step encrypt), and each of them `.without-<part>` where a step has a part; `step-ratio.<a>.<b>`, the time
#' of step a over that of step b.
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
    step_ratios(shares),
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

#' `step-ratio.<a>.<b>` of every two steps, from their sums; none over a step that took no time the clock could see.
step_ratios <- function(shares) {
  pairs <- merge(shares, shares, by = fork_key, suffixes = c("", ".below"), allow.cartesian = TRUE)
  pairs[step != step.below & ns.below > 0][
    , .(measure = sprintf("step-ratio.%s.%s", step, step.below), value = ns / ns.below), by = fork_key
  ]
}

#' Statistics of the byte counts, over all iterations, since bytes don't warm up: `deviation.<name>`, the root of the
#' mean squared standard deviation of the counts over the one that chance gives (N / 256; the square is
#' chi-square / 255); `counts-sd.<name>`, the root of the mean squared standard deviation of the counts itself;
#' `uneven-share.<name>`, the share of streams in which not every count is the same;
#' `low16-zero-share.<name>`, `low32-zero-share.<name>`, the share of the value 0 among the bytes 0 to 15, 0 to 31;
#' `entropy.<name>` in bits a byte; `zero-share.<name>` and `top-share.<name>`, the shares of the value 0 and of the
#' commonest value; `length.<name>` in bytes.
byte_values <- function(observations) {
  rows <- observations[startsWith(measure, "bytes.")]
  if (nrow(rows) == 0) return(no_values())
  stats <- rbindlist(lapply(strsplit(rows$counts, ";", fixed = TRUE), function(text) {
    counts <- as.numeric(text)
    if (length(counts) != 256) {
      refuse("observations.csv", sprintf("has %d byte counts", length(counts)), "256", "measure the round again")
    }
    found <- byte_uniformity(counts)
    n <- sum(counts)
    data.table(
      square = found$chi_square / 255, variance = stats::var(counts), low16 = counts[1] / max(sum(counts[1:16]), 1),
      low32 = counts[1] / max(sum(counts[1:32]), 1), entropy = found$entropy, zero = counts[1] / n, top = found$max / n,
      length = n
    )
  }))
  rows <- cbind(rows[, c(fork_key, "measure"), with = FALSE], stats)
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

#' Forks by measure with what was observed in them besides: measures of observed.csv beside wall and cpu.
#'
#' @param long of `forks_by_measure`; `observed` the table observed.csv, or NULL
with_observed <- function(long, observed) {
  if (is.null(observed) || nrow(observed) == 0) return(long)
  forks <- long[measure == "wall"][, c("measure", "mean_ns", "sd_ns") := NULL]
  own <- observed[, observed_columns, with = FALSE]
  setnames(own, c("value", "sd"), c("mean_ns", "sd_ns"))
  rbind(long, forks[own, on = fork_key, nomatch = NULL], use.names = TRUE)
}

#' Counts of tidy observations in long form, for counts.csv.gz: `position` is 0, 1, ... in each list.
long_counts <- function(observations) {
  rows <- observations[nzchar(counts)]
  parts <- strsplit(rows$counts, ";", fixed = TRUE)
  sizes <- lengths(parts)
  keys <- rows[rep(seq_len(nrow(rows)), sizes), c(fork_key, "iteration", "measure"), with = FALSE]
  keys[, `:=`(position = sequence(sizes) - 1L, count = as.numeric(unlist(parts)))][]
}
