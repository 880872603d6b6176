# Made-up raw rounds, written as data/README.md describes them, so that tests know what the tables must say.

#' Cells of a made-up experiment.
#'
#' @param ... columns of cells.csv that differ from the defaults, recycled; `ns` is the true wall time per operation
made_up_cells <- function(...) {
  cells <- data.table(...)
  defaults <- list(
    benchmark = "FileCipher.encrypt", provider = "sunjce", cpu_profile = "native", protocol = "steady-state",
    mode = "average-time",
    warmup = "steady-state", iterations = 12, iteration_ms = 20, between = 0.01, within = 0.005, warm = 2
  )
  for (name in setdiff(names(defaults), names(cells))) set(cells, j = name, value = defaults[[name]])
  if (!"cell" %in% names(cells)) cells[, cell := sprintf("%s.%d", workload, .I)]
  cells[]
}

kofahi_cells <- function(ciphers = c(DES = 3e6, "Triple-DES" = 8e6, AES = 2e5, Blowfish = 1.5e6)) {
  made_up_cells(workload = "encrypt", factor.cipher = names(ciphers), factor.size = "100 KB", ns = unname(ciphers))
}

#' Iterations of one fork: slow at first where the protocol looks for steady states, one mean per fork, noise on top.
made_up_iterations <- function(fork, cell, clock_ms) {
  n <- as.integer(cell$iterations)
  level <- cell$ns * exp(stats::rnorm(1, 0, cell$between))
  times <- level * exp(stats::rnorm(n, 0, cell$within))
  if (cell$warmup == "steady-state") times[seq_len(n %/% 4)] <- times[seq_len(n %/% 4)] * cell$warm
  operations <- if (cell$mode == "single-shot") rep(1, n) else pmax(round(1e6 * cell$iteration_ms / times), 1)
  took <- signif(times * operations, 12)
  ends <- clock_ms + round(cumsum(took / 1e6 + 1))
  cpu <- round(took * 0.98)
  data.table(
    fork = fork, iteration = seq_len(n), start_epoch_ms = 1795166000000 + round(ends - took / 1e6),
    start_uptime_ms = round(ends - took / 1e6), end_uptime_ms = ends, duration_ns = took, operations = operations,
    all_operations = operations, worker_cpu_ns = cpu, process_user_ns = 1e7 * ceiling(cpu / 1e7), process_system_ns = 0,
    involuntary_switches = 1, gc_ms = 0, jit_ms = 0
  )
}

#' A GC log with a collection every `every` ms until `until`.
made_up_gc_log <- function(format, until, every = 100) {
  at <- seq(50, max(until, 60), by = every) / 1000
  if (format == "jdk8") {
    event <- sprintf(
      "2026-11-20T09:18:00.123+0000: %.3f: [GC (Allocation Failure) [DefNew: 1K->0K(2K), 0.0010 secs]", at
    )
    stop <- sprintf(
      "2026-11-20T09:18:00.125+0000: %.3f: Total time for which application threads were stopped: %s seconds, %s",
      at + 0.002, "0.0020000", "Stopping threads took: 0.0000100 seconds"
    )
    return(c("CommandLine flags: -XX:+UseSerialGC", rbind(event, stop)))
  }
  event <- sprintf(
    "[2026-11-20T09:18:00.123+0000][%.3fs][info][gc] GC(0) Pause Young (Allocation Failure) 1M->0M(2M) 1.9ms", at
  )
  stop <- sprintf(
    "[2026-11-20T09:18:00.123+0000][%.3fs][info][safepoint] Safepoint \"%s\", Time since last: 1 ns, %s, Total: 2%s ns",
    at + 0.002, "GenCollectForAllocation", "Reaching safepoint: 2 ns, At safepoint: 1999998 ns", "000000"
  )
  c("[2026-11-20T09:18:00.000+0000][0.004s][info][gc] Using Serial", rbind(event, stop))
}

#' A few of the JVM's flags as PrintFlagsFinal prints them.
made_up_flags <- function(profile) {
  on <- if (profile == "native") "true" else "false"
  line <- function(type, name, value) sprintf("%9s %-40s = %-40s {product} {default}", type, name, value)
  c(
    "[Global flags]", line("bool", "UseAES", on), line("bool", "UseAESIntrinsics", on),
    line("bool", "UseMontgomeryMultiplyIntrinsic", "true"), line("intx", "UseAVX", if (on == "true") 3 else 0),
    line("intx", "UseSSE", if (on == "true") 4 else 3)
  )
}

#' interference.csv of a quiet machine.
#'
#' @param iterations of all forks; `broken` gate names, `rerun_of` fork numbers or NA, both one per fork
made_up_interference <- function(iterations, broken, rerun_of) {
  rows <- iterations[, .(
    elapsed_ms = round(max(end_uptime_ms) + 200), window_ms = sum(end_uptime_ms - start_uptime_ms)
  ), by = fork]
  rows[, `:=`(
    steal_ms = 10, others_ms = 20, cpu_ms = 2 * elapsed_ms, throttled = NA_real_, spin_before_ns = 8e6,
    spin_after_ns = 8.8e6, spin_reference_ns = 8e6, involuntary_switches = 12, gc_ms = 0, broken = broken,
    rerun_as = fork[match(fork, rerun_of)], rerun_of = rerun_of
  )][]
}

#' Write one round; its forks run in the order of `cells`.
#'
#' @param broken gates that forks broke, named by fork (`c("2" = "steal_share;spin_ratio")`); `again` which forks were
#'   run again for it, in their order
write_round <- function(raw, experiment, environment, number, cells, image_id = "sha256:aa",
                        machine_id = "0123456789ab",
                        gc = "unified", tier = "quick", broken = character(), again = integer()) {
  name <- sprintf("r%03d", number)
  folder <- file.path(raw, experiment, environment, name)
  for (part in c("jmh", "gc", "jvm")) dir.create(file.path(folder, part), recursive = TRUE, showWarnings = FALSE)
  planned <- copy(cells)[, fork := .I]
  forks <- rbind(planned, planned[again])[, fork := .I]
  write_csv <- function(table, file) fwrite(table, file.path(folder, file), scipen = 50)
  columns <- c(
    "fork", "cell", "workload", "benchmark", "protocol", "provider", "cpu_profile", "mode", "warmup", "iterations",
    "iteration_ms", grep("^factor\\.", names(planned), value = TRUE)
  )
  write_csv(planned[, columns, with = FALSE], "cells.csv")
  iterations <- rbindlist(lapply(seq_len(nrow(forks)), function(i) made_up_iterations(i, forks[i], 100)))
  write_csv(iterations, "iterations.csv")
  chain <- data.table(fork = forks$fork, depth = 0, method = "a.B::run", share = 1, state = "c2", within = "")
  chain[, since_ms := 50]
  write_csv(chain, "chain.csv")
  causes <- unname(broken[as.character(forks$fork)])
  rerun_of <- c(rep(NA_integer_, nrow(planned)), again)
  write_csv(made_up_interference(iterations, causes, rerun_of), "interference.csv")
  for (i in forks$fork) {
    own <- iterations[fork == i]
    writeLines(made_up_gc_log(gc, max(own$end_uptime_ms)), file.path(folder, sprintf("gc/%03d.log", i)))
  }
  round <- list(
    schema = 2, experiment = experiment, environment = environment, round = name, number = number, stage = 1,
    plan_sha256 = "", tier = tier, seed = 1,
    order_seed = "17", engine = "docker", machine_id = machine_id, image_id = image_id, jar_sha256 = strrep("0", 64),
    providers = list(sunjce = ""), started_at = "2026-11-20T09:18:00Z", finished_at = "2026-11-20T09:19:00Z",
    expected_s = 60, elapsed_s = 61.5
  )
  writeLines(jsonlite::toJSON(round, auto_unbox = TRUE, pretty = TRUE, digits = NA), file.path(folder, "round.json"))
  others <- c(
    "forks.tsv", "gates.tsv", "commands.txt", "jvm/version.txt", "environment.json", "audit.json", "console.log"
  )
  for (file in others) writeLines("{}", file.path(folder, file))
  for (profile in unique(forks$cpu_profile)) {
    writeLines(made_up_flags(profile), file.path(folder, sprintf("jvm/flags-%s.txt", profile)))
  }
  writeLines(c("cpus_allowed: 0-1", "memory_limit_bytes: 2147483648"), file.path(folder, "limits.txt"))
  invisible(folder)
}

#' An experiment as definitions.json has it, with the claims given.
made_up_experiment <- function(claims, id = "kofahi2013", measure = "wall") {
  list(
    id = id, measure = measure, claims = claims,
    workloads = list(
      "generate-key" = list(factors = list("cipher")), encrypt = list(factors = list("cipher", "size")),
      decrypt = list(factors = list("cipher", "size"))
    ),
    factors = list(
      cipher = list(DES = list(), "Triple-DES" = list(), AES = list(), Blowfish = list()),
      size = list("100 KB" = list(), "1 MB" = list(), "10 MB" = list())
    )
  )
}

made_up_definitions <- function(...) {
  list(settings = list(tier = "quick", alpha = 0.05, confidence = 0.95), experiments = list(made_up_experiment(...)))
}

#' Tidy tables of made-up rounds of one experiment and environment.
made_up_tidy <- function(cells, rounds = 5, experiment = "kofahi2013", environment = "debian-12-temurin-17") {
  raw <- tempfile("raw")
  for (number in seq_len(rounds)) write_round(raw, experiment, environment, number, cells)
  tidy_rounds(raw, find_rounds(raw))
}
