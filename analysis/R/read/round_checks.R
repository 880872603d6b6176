# What must hold in a round before any of it is believed. Each check refuses with the file's name; none drops a row.

#' Forks and iterations agree, and every value is possible.
check_iterations <- function(folder, forks, iterations) {
  file <- file.path(folder, "iterations.csv")
  bad <- function(what, expected) damaged(file, what, expected)
  counters <- c("worker_cpu_ns", "process_user_ns", "process_system_ns", "involuntary_switches", "gc_ms", "jit_ms")
  whole <- setdiff(iterations_columns, counters)
  for (column in whole) {
    empty <- which(is.na(iterations[[column]]))
    if (length(empty) > 0) bad(sprintf("row %d has no %s", empty[1], column), "a number")
  }
  repeated <- anyDuplicated(iterations, by = c("fork", "iteration"))
  if (repeated) {
    bad(
      sprintf("fork %g has iteration %g twice", iterations$fork[repeated], iterations$iteration[repeated]),
      "each iteration once"
    )
  }
  for (column in c("duration_ns", "operations", "all_operations")) {
    wrong <- which(iterations[[column]] <= 0)
    if (length(wrong) > 0) {
      bad(sprintf("row %d has %s %g", wrong[1], column, iterations[[column]][wrong[1]]), "more than 0")
    }
  }
  for (column in counters) {
    wrong <- which(iterations[[column]] < 0)
    if (length(wrong) > 0) {
      bad(sprintf("row %d has %s %g", wrong[1], column, iterations[[column]][wrong[1]]), "0 or more")
    }
  }
  backwards <- which(iterations$end_uptime_ms < iterations$start_uptime_ms)
  if (length(backwards) > 0) {
    bad(sprintf("row %d ends before it starts", backwards[1]), "end_uptime_ms of start_uptime_ms or more")
  }
  stray <- setdiff(iterations$fork, forks$fork)
  if (length(stray) > 0) {
    bad(paste("has iterations of fork", some_of(stray), "that cells.csv lacks"), "cells.csv's forks and their reruns")
  }
  found <- iterations[, .(n = .N, last = max(iteration), first = min(iteration)), by = fork]
  counts <- merge(forks[, .(fork, planned = iterations)], found, by = "fork", all.x = TRUE)
  wrong <- counts[is.na(n) | n != planned | last != planned | first != 1]
  if (nrow(wrong) > 0) {
    n <- fcoalesce(wrong$n[1], 0L)
    bad(sprintf("fork %g has %d iterations", wrong$fork[1], n), sprintf("%g, numbered from 1", wrong$planned[1]))
  }
}

#' The files that a round must have besides its tables: those of each fork, and all that its manifest lists.
check_files <- function(folder, forks) {
  number <- sprintf("%03d", as.integer(forks$fork))
  logged <- number[!forks$native]
  fixed <- c("forks.tsv", "gates.tsv", "commands.txt", "jvm/version.txt", "environment.json", "audit.json")
  fixed <- c(fixed, "console.log", profile_files(forks))
  wanted <- c(
    "manifest.sha256", paste0("jmh/", number, ".json"), paste0("jmh/", number, ".txt"),
    if (length(logged) > 0) paste0("gc/", logged, ".log"), fixed
  )
  manifest <- file.path(folder, "manifest.sha256")
  if (file.exists(manifest)) wanted <- unique(c(wanted, read_manifest(manifest)$name))
  missing <- wanted[!file.exists(file.path(folder, wanted))]
  if (length(missing) > 0) damaged(file.path(folder, missing[1]), "is missing", "a whole round")
}

#' The JVM's flags, a file per CPU profile, and the limits the round ran in.
profile_files <- function(forks) c(sprintf("jvm/flags-%s.txt", unique(forks$cpu_profile)), "limits.txt")

read_manifest <- function(file) {
  lines <- readLines(file, warn = FALSE)
  whole <- grepl("^[0-9a-f]{64} [ *].+$", lines)
  if (!all(whole) || length(lines) == 0) damaged(file, "isn't a list of SHA-256 sums", "the format of sha256sum")
  data.table(sum = substr(lines, 1, 64), name = sub("^\\./", "", substring(lines, 67)))
}

#' Every file has the sum that its manifest gives, and the manifest the sum that `<round>.whole` gives. Comes after the
#' other checks, which say more precisely what is wrong.
check_manifest <- function(folder) {
  file <- file.path(folder, "manifest.sha256")
  manifest <- read_manifest(file)
  found <- sha256_of(file.path(folder, manifest$name))
  altered <- manifest$name[found != manifest$sum]
  if (length(altered) > 0) {
    damaged(file.path(folder, altered[1]), "was altered since it was measured", "the SHA-256 of manifest.sha256")
  }
  seal <- paste0(folder, ".whole")
  if (file.exists(seal) && !startsWith(readLines(seal, n = 1, warn = FALSE), sha256_of(file))) {
    damaged(file, "was altered since it was measured", paste("the SHA-256 in", basename(seal)))
  }
}

#' SHA-256 of files, in hexadecimal. R has it from 4.5 on; before, the command of the same name.
sha256_of <- function(files) {
  if (exists("sha256sum", envir = asNamespace("tools"), inherits = FALSE)) {
    return(unname(getExportedValue("tools", "sha256sum")(files)))
  }
  command <- Sys.which(c("sha256sum", "shasum"))
  if (!any(nzchar(command))) refuse("sha256sum", "no such command", "R 4.5, sha256sum or shasum", "install coreutils")
  arguments <- c(if (!nzchar(command[1])) c("-a", "256"), shQuote(files))
  lines <- system2(command[nzchar(command)][1], arguments, stdout = TRUE)
  regmatches(lines, regexpr("[0-9a-f]{64}", lines))
}
