# The table today.csv, for choosing a provider. It covers experiments without claims that ask what each provider
# offers.

today_columns <- columns_of("today.csv")

#' The experiments of the table, by id.
today_experiments <- function(definitions) {
  asks <- function(experiment) identical(experiment$not_offered, "mark") && length(experiment$claims) == 0
  found <- Filter(asks, definitions$experiments)
  stats::setNames(found, vapply(found, `[[`, "", "id"))
}

#' Every operation of each provider on each JDK: its time, its allocation, and its ratio to the fastest provider.
#'
#' An operation that a provider lacks has a row too, with the reason.
#'
#' @param cells,observed,ratios,offers the tables cells.csv, observed_means.csv, ratios.csv, offers.csv
#'
#' @param definitions of definitions.json
#'
#' @return data.table, the columns of today.csv
today_table <- function(cells, observed, ratios, offers, definitions) {
  studies <- today_experiments(definitions)
  words <- definitions$words
  found <- rbindlist(lapply(names(studies), function(id) {
    rbind(
      measured_today(cells, observed, ratios, studies[[id]], words),
      lacking_today(offers, cells, studies[[id]], words)
    )
  }))
  if (nrow(found) == 0) as.data.table(sapply(today_columns, function(column) character())) else found
}

#' The rows of measured operations.
measured_today <- function(cells, observed, ratios, study, words) {
  own <- cells[experiment == study$id & measure == (study$measure %||% "wall")]
  if (nrow(own) == 0) return(NULL)
  own <- copy(own)
  own[, operation := operations_to_choose(words, own, study)]
  own[, `:=`(bytes = text_bytes(own, study), offered = "yes", why = "")]
  at <- c("experiment", "environment", "image_id", "machine_id", "cell")
  allocated <- observed[measure == "gc.alloc.rate.norm"]
  own[, c("allocated_bytes", "allocated_lower", "allocated_upper") :=
        allocated[own, on = at, .(x.mean, x.lower, x.upper)]]
  of_fastest <- ratios[kind == "provider" & experiment == study$id]
  setnames(of_fastest <- copy(of_fastest), paste0("numerator_", c("environment", "image_id", "cell")),
           c("environment", "image_id", "cell"))
  own[, c("ratio", "ratio_lower", "ratio_upper", "ratio_id") :=
        of_fastest[own, on = at, .(x.ratio, x.lower, x.upper, x.ratio_id), mult = "first"]]
  compared_within <- c("environment", "image_id", "machine_id", "cpu_profile", "operation")
  own[, rank := frank(mean_ns, ties.method = "first"), by = compared_within]
  levels <- lapply(factor_columns(own), function(column) {
    match(own[[column]], names(study$factors[[sub("^factor\\.", "", column)]]), nomatch = 0L)
  })
  shown <- do.call(order, c(list(own$environment, match(own$workload, names(study$workloads))), levels, list(own$rank)))
  own[shown, today_columns, with = FALSE]
}

#' The rows of operations that providers lack, each once.
lacking_today <- function(offers, cells, study, words) {
  lacking <- unique(offers[experiment == study$id & offered != "yes",
                           .(experiment, environment, cell, workload, provider, cpu_profile, offered, why)],
                    by = c("environment", "cell"))
  if (nrow(lacking) == 0) return(NULL)
  # The cell's id has the levels of its factors between the workload and the provider.
  levels <- mapply(function(cell, workload, provider) {
    end <- regexpr(paste0(":", provider, ":"), paste0(cell, ":"), fixed = TRUE)
    inside <- substring(cell, nchar(workload) + 2L, end)
    gsub(":", " ", sub(":$", "", inside), fixed = TRUE)
  }, lacking$cell, lacking$workload, lacking$provider, USE.NAMES = FALSE)
  known <- unique(cells[experiment == study$id, c("workload", factor_columns(cells)), with = FALSE])
  known[, called := operations_to_choose(words, known, study)]
  plain <- function(text) gsub("[^a-z0-9.]+", "-", tolower(text))
  ids <- do.call(paste, lapply(c("workload", factor_columns(known)), function(name) fcoalesce(known[[name]], "")))
  at <- match(plain(trimws(paste(lacking$workload, levels))), plain(trimws(gsub("\\s+", " ", ids))))
  # If no provider offers the operation, no other row has the words for its levels.
  lacking[, operation := fcoalesce(known$called[at], paste0(level_words(words, "workload", workload), ": ", levels))]
  numbers <- setdiff(today_columns, names(lacking))
  lacking[, (numbers) := NA]
  lacking[, today_columns, with = FALSE]
}
