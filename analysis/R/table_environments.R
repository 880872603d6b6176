# The environments that were measured: what they hold, and where they drifted from their locks.

drift_rows <- function(record) {
  lapply(record$drift, function(entry) {
    if (!is.list(entry)) return(list(package = as.character(entry), locked = dash, found = dash))
    text <- function(value) {
      if (length(value) == 0 || identical(value, "")) dash else paste(unlist(value), collapse = " ")
    }
    list(package = text(entry$package %||% entry$name), locked = text(entry$locked), found = text(entry$found))
  }) |> unname()
}

environment_entry <- function(data, i) {
  spot <- data$places[i]
  rounds <- data$rounds[place == spot$label][order(started_at, path)]
  defined <- Filter(function(x) x$id == spot$environment, data$environments)
  defined <- if (length(defined) > 0) defined[[1]] else list()
  record <- if (nrow(rounds) > 0) read_record(data, rounds$path[1], "environment.json")
  packages <- record$packages
  list(
    label = spot$label, id = spot$environment, os = paste(defined$os %||% record$system %||% dash),
    jdk = paste(defined$jdk %||% dash),
    java = paste(defined$java %||% dash),
    image = if (grepl("^host", spot$image_id)) spot$image_id else short_id(spot$image_id),
    machine = spot$machine_id, rounds = format_count(nrow(rounds)),
    packages = if (is.null(packages)) "not recorded" else format_count(length(packages)), drift = drift_rows(record),
    recorded = !is.null(record), caveat = data$parts$caveat[match(spot$environment, data$parts$environment)] %||% ""
  )
}

table_environments <- function(data) lapply(seq_len(nrow(data$places)), function(i) environment_entry(data, i))
