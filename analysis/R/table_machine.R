# The machine and its audit: audit.json of every round is flattened to keys and values, what stays the same over
# all rounds is stated once, and a value that the host does not expose is marked as such.

#' The subjects that a reader of a benchmark asks about, each with the pattern its keys match. Order is the table's.
audit_subjects <- c(
  "limits" = "^limits[.]",
  "CPU" = "cpu_model|model_name|cpu_family|cpu_stepping|cpu_microcode|vendor",
  "cores" = "core|cpus_online|logical|threads", "SMT" = "smt|hyperthread",
  "kernel" = "kernel|uname", "virtualisation" = "virt|hypervisor", "clock source" = "clock_?source",
  "governor" = "governor|frequency|mhz", "turbo" = "turbo|boost", "memory" = "mem|swap|huge_?page", "steal" = "steal",
  "load" = "load_", "mitigations" = "mitigation", "throttling" = "throttl|thermal",
  "container" = "^container[.]|^engine|cgroup"
)

#' One row per key; of values that differ between rounds, their number and their range.
table_machine <- function(data) {
  rounds <- data$rounds[order(machine_id != data$places$machine_id[1], machine_id, started_at, path)]
  rows <- list()
  for (machine in unique(rounds$machine_id)) {
    records <- lapply(rounds[machine_id == machine]$path, function(path) {
      record <- read_record(data, path, "audit.json")
      if (is.null(record)) NULL else flatten_json(record)
    })
    flat <- data.table::rbindlist(lapply(Filter(length, records), function(x) {
      data.table::data.table(name = names(x), value = unname(x))
    }))
    if (nrow(flat) == 0) {
      rows <- c(rows, list(machine_entry(data, machine, length(records), list())))
      next
    }
    # Where the container's own settings are null, nothing was set.
    flat[is.na(value) & grepl("^container[.]", name), value := "none"]
    keys <- flat[, .(value = summarise_values(value), exposed = any(!is.na(value))), by = name]
    keys[, subject := vapply(name, subject_of, "")]
    keys <- keys[subject != ""][order(match(subject, names(audit_subjects)))]
    shown <- lapply(seq_len(nrow(keys)), function(i) as.list(keys[i, .(subject, name, value, exposed)]))
    rows <- c(rows, list(machine_entry(data, machine, length(records), shown)))
  }
  rows
}

#' A machine, with a sentence where it is not the one that the first environment was measured on.
machine_entry <- function(data, machine, rounds, rows) {
  other <- machine != data$places$machine_id[1]
  places <- unique(data$places[machine_id == machine]$label)
  note <- if (other) {
    sprintf(
      "Another machine, with %s. Its results are never pooled nor compared with the others'.", format_list(places)
    )
  } else {
    ""
  }
  list(machine = machine, rounds = format_count(rounds), note = note, rows = rows)
}

#' The subject of a key: the container's own keys first, else what the key's last part says; "" where nobody asks.
subject_of <- function(key) {
  if (grepl(audit_subjects[["limits"]], key)) return("limits")
  if (grepl("[.]mitigations[.]", key)) return("mitigations")
  if (grepl(audit_subjects[["container"]], key)) return("container")
  found <- names(audit_subjects)[vapply(audit_subjects, grepl, TRUE, x = sub(".*[.]", "", key), ignore.case = TRUE)]
  if (length(found) > 0) found[1] else ""
}

#' What the rounds' values of one key have to say.
summarise_values <- function(values) {
  # Twelve digits of a hash tell it from all others, and fit.
  values <- sub("(sha256:[0-9a-f]{12})[0-9a-f]+", "\\1", values)
  shown <- unique(ifelse(is.na(values), "not exposed", values))
  if (length(shown) == 1) return(shown)
  numbers <- suppressWarnings(as.numeric(setdiff(shown, "not exposed")))
  if (!anyNA(numbers)) {
    ends <- vapply(range(numbers), format_significant_plain, "")
    return(paste(ends[1], "to", ends[2], "over the rounds"))
  }
  if (length(shown) <= 3) return(paste(shown, collapse = " | "))
  paste(format_count(length(shown)), "different values over the rounds, such as", shown[1])
}

# The JVM's final flags as a round keeps them, read for the intrinsics that ciphers and hashes rest on.

#' Flags of HotSpot that switch the intrinsics of cryptography, and what the CPU may do for them: short name to flag.
crypto_flags <- c(
  "AES" = "UseAESIntrinsics", "AES-CTR" = "UseAESCTRIntrinsics", "GHASH" = "UseGHASHIntrinsics",
  "SHA-1" = "UseSHA1Intrinsics", "SHA-256" = "UseSHA256Intrinsics", "SHA-512" = "UseSHA512Intrinsics",
  "SHA-3" = "UseSHA3Intrinsics", "MD5" = "UseMD5Intrinsics", "ChaCha20" = "UseChaCha20Intrinsics",
  "Poly1305" = "UsePoly1305Intrinsics", "EC" = "UseIntPolyIntrinsics", "ML-KEM" = "UseKyberIntrinsics",
  "ML-DSA" = "UseDilithiumIntrinsics", "big multiply" = "UseMultiplyToLenIntrinsic",
  "Montgomery" = "UseMontgomeryMultiplyIntrinsic", "CLMUL" = "UseCLMUL", "SSE" = "UseSSE", "AVX" = "UseAVX"
)

#' Read a file of `-XX:+PrintFlagsFinal`.
#'
#' @return named character, flag to value; empty where there is no file
read_flags <- function(file) {
  if (!file.exists(file)) return(character())
  lines <- grep("^ *[A-Za-z_0-9]+ +[A-Za-z_0-9]+ +:?= ", readLines(file, warn = FALSE), value = TRUE)
  parts <- regmatches(lines, regexec("^ *[A-Za-z_0-9]+ +([A-Za-z_0-9]+) +:?= *([^ {]*)", lines))
  setNames(vapply(parts, `[`, "", 3), vapply(parts, `[`, "", 2))
}

#' The flags of a round's forks of one CPU profile.
round_flags <- function(folder, profile) read_flags(file.path(folder, "jvm", sprintf("flags-%s.txt", profile)))

#' Values of `crypto_flags` in words: `on`, `off`, a number, or nothing where this JVM has no such flag.
crypto_values <- function(flags) {
  values <- flags[crypto_flags]
  values <- ifelse(values == "true", "on", ifelse(values == "false", "off", values))
  setNames(ifelse(is.na(values), "", values), names(crypto_flags))
}

# What the gates broke, in words: one place, so that the first page and the appendix agree.

#' Which gates broke how many forks, in a sentence.
gate_sentence <- function(data) {
  broken <- data$forks[valid %in% FALSE]
  if (nrow(broken) == 0) return("No gate broke a fork.")
  causes <- table(unlist(strsplit(broken$invalid_cause, ";", fixed = TRUE)))
  causes <- sort(causes, decreasing = TRUE)
  reruns <- sum(is.finite(data$forks$rerun_of))
  sprintf(
    "Gates broke %s of %s (%s); %s measured again. Verdicts rest on the others.", format_plural(nrow(broken), "fork"),
    format_count(nrow(data$forks)),
    format_list(paste(gsub("_", " ", names(causes)), format_count(as.numeric(causes)))),
    if (reruns == 1) "1 was" else paste(if (reruns == 0) "none" else format_count(reruns), "were")
  )
}

# How long a program waits until what it calls is compiled, as pilots tell: forks that nothing has warmed up.

waits_shown <- 20

wait_row <- function(data, row) {
  over <- !is.finite(row$wait_s)
  list(
    experiment = row$experiment, place = where_words(data, row$place, row$cpu_profile), cell = as.character(row$label),
    calls = paste0(if (over) "over ", format_count(if (over) row$operations else row$wait_calls)),
    seconds = paste0(if (over) "over ", if (over) format_count(row$at_least_s) else format_significant(row$wait_s, 2)),
    first = format_time(row$first_ns), last = format_time(row$mean_ns)
  )
}

#' What the pilots say together, or how to have some.
wait_sentence <- function(pilots) {
  if (nrow(pilots) == 0) {
    return(paste(
      "No cell of this run has a pilot, so that the record of what was compiled alone decides whether its times are",
      "settled. make pilots, with the run's TIER=, measures them: once for each image, jar and set of flags."
    ))
  }
  waited <- pilots[is.finite(wait_s)]
  sprintf(
    "Of %s, %d had all that it runs compiled after more than a second, %d after more than ten, and %d not at its end.",
    format_plural(nrow(pilots), "pilot"), sum(waited$wait_s > 1), sum(waited$wait_s > 10), nrow(pilots) - nrow(waited)
  )
}

#' What is said of pilots beyond those of the table.
others_sentence <- function(others) {
  if (nrow(others) == 0) return("")
  open <- sum(!is.finite(others$wait_s))
  sprintf(
    "Of %s %d had all compiled sooner%s.", format_plural(nrow(others), "further pilot"), nrow(others) - open,
    if (open > 0) sprintf(", and %d not at the end, after as many seconds as the table's last or fewer", open) else ""
  )
}

#' The pilots that waited longest, as far as is known: where not all was compiled in a pilot, that is its whole length.
table_waits <- function(data) {
  pilots <- data$pilots[kind == "pilot"]
  # A pilot's iterations last a second each.
  pilots[, at_least_s := fifelse(is.finite(wait_s), wait_s, as.numeric(iterations))]
  pilots <- pilots[order(-at_least_s, as.integer(place), label)]
  list(
    sentence = wait_sentence(pilots),
    rows = lapply(seq_len(min(nrow(pilots), waits_shown)), function(i) wait_row(data, pilots[i])),
    others = others_sentence(tail(pilots, -waits_shown))
  )
}
