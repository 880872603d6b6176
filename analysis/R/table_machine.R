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
