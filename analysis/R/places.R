# Labels for places: an environment with its image and machine, or what the environments that a claim compares share.

#' One row per environment, image and machine that has results, in the order of the definitions. Results of
#' different images or machines are never pooled, so each is a place of its own, and its label says which. Machines
#' other than that of the first place are said to be others.
find_places <- function(data) {
  keys <- c("environment", "image_id", "machine_id")
  seen <- unique(data.table::rbindlist(lapply(
    c("rounds", "forks", "cells"), function(name) data[[name]][, keys, with = FALSE]
  )))
  seen <- seen[environment != ""]
  ids <- vapply(data$environments, function(x) x$id, "")
  labels <- setNames(vapply(data$environments, function(x) as.character(x$label %||% x$id), ""), ids)
  seen[, rank := match(environment, ids, nomatch = length(ids) + 1L)]
  data.table::setorderv(seen, c("rank", keys))
  seen[, label := ifelse(environment %in% ids, labels[environment], environment)]
  seen[, several := .N > 1, by = label]
  seen[, other := machine_id != machine_id[1]]
  seen[several == TRUE, label := sprintf(
    "%s (image %s, machine %s)", label, short_id(image_id), substr(machine_id, 1, 6)
  )]
  seen[several == FALSE & other, label := sprintf("%s, other machine %s", label, substr(machine_id, 1, 6))]
  seen[, c("rank", "several") := NULL]
  seen[]
}

#' The first hexadecimal digits of a digest, as people quote it.
short_id <- function(id, digits = 12) substr(sub("^sha256:", "", id), 1, digits)

#' The place of every row of a table, as a factor in the order of the places; then come those that environments share.
place_of <- function(table, places, parts = environment_parts(list())) {
  key <- function(x) paste(x$environment, x$image_id, x$machine_id)
  label <- places$label[match(key(table), key(places))]
  shared <- which(is_shared(table$environment))
  if (length(shared) > 0) {
    main <- places$machine_id[1]
    other <- table$machine_id[shared] != main
    suffix <- ifelse(other, paste(", other machine", substr(table$machine_id[shared], 1, 6)), "")
    label[shared] <- paste0(shared_label(table$environment[shared], parts), suffix)
  }
  factor(label, levels = c(unique(places$label), sort(unique(label[shared]), method = "radix")))
}

#' Whether a name is what the environments that a claim compares share.
is_shared <- function(environment) grepl("^\\*|-\\*$", environment)

#' `across systems, Temurin 21.0.8`, `across JDKs, Debian 13`, `across systems and JDKs`.
shared_label <- function(environment, parts) {
  system <- sub("-\\*$", "", environment)
  jdk <- sub("^\\*-", "", environment)
  label <- ifelse(
    startsWith(environment, "*"), paste0("across systems, ", part_words(parts, "jdk", jdk)),
    paste0("across JDKs, ", part_words(parts, "system", system))
  )
  ifelse(environment == "*", "across systems and JDKs", label)
}

#' A row's place, with its CPU profile where there are several.
where_words <- function(data, place, profile) {
  told <- length(data$profiles) > 1 & nzchar(profile)
  paste0(as.character(place), ifelse(told, paste0(", ", profile), ""))
}

# A dot plot has a row of dots per environment; more than this many can't be told apart by colour.
most_places <- 7L

#' The data for a study's dot plots: its own environments, and no more of them than such a plot can show: the first one
#' and those that differ least from it. `few` is a sentence that says so, empty where all are shown.
few_places <- function(data, id) {
  data$few <- ""
  if (nrow(data$places) <= most_places) return(data)
  own <- unique(unlist(lapply(c("rounds", "forks", "cells"), function(name) {
    as.character(data[[name]][experiment == id]$place)
  })))
  places <- data$places[label %in% own]
  data$places <- places
  if (nrow(places) <= most_places) return(data)
  parts <- data$parts[match(places$environment, data$parts$environment)]
  apart <- (parts$system != parts$system[1]) + (parts$jdk != parts$jdk[1]) + 2 * places$other
  kept <- sort(order(apart)[seq_len(most_places)])
  data$few <- sprintf(
    "Shown are %d of %d environments, the first and those that differ least from it; the heat map has all. ",
    most_places, nrow(places)
  )
  data$places <- places[kept]
  for (name in c("rounds", "forks", "cells", "observed_means", "iterations", "pauses")) {
    data[[name]] <- data[[name]][as.character(place) %in% data$places$label]
  }
  ids <- data$places$environment
  data$contrasts <- data$contrasts[numerator_environment %in% ids & denominator_environment %in% ids]
  data$contrasts <- data$contrasts[is_shared(environment) | as.character(place) %in% data$places$label]
  data
}
