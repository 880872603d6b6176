# Rankings of providers and JDKs, for the choice of one.

# Cells of one operation, sorted by their time: algorithms, providers and JDKs in one list, as `jca-rerun choose`
# prints it.

ranking_columns <- columns_of("ranking.csv", "tools")

#' Rank the cells of each operation (workload, protocol, CPU profile) of a machine by their geometric mean time.
#'
#' The interval of a cell's time is computed on the log scale, so that no limit is below 0. The intervals of the ratios
#' to the fastest cell are simultaneous: Bonferroni's, over all pairs of an operation's cells.
#'
#' @return data.table of `ranking_columns`, in the order of its ranks
rank_cells <- function(forks, observed) {
  shown <- shown_forks(forks)
  if (nrow(shown) == 0) return(no_rows(ranking_columns))
  keys <- c(cell_columns(forks), "disturbed")
  long <- forks_by_measure(shown)[measure == "wall" & mean_ns > 0]
  disturbed <- unique(shown[, c(measured_cell, "disturbed"), with = FALSE])
  long <- disturbed[long, on = measured_cell]
  cells <- staged_means(long, log(long$mean_ns), keys)
  cells[, `:=`(measure = "wall", time_ns = exp(mean), lower_ns = exp(lower), upper_ns = exp(upper))]
  cells[, c("mean", "sd", "lower", "upper") := NULL]
  allocated <- with_observed(long, observed)[measure == "gc.alloc.rate.norm", .(
    allocated_bytes = mean(mean_ns)
  ), by = measured_cell]
  cells[, allocated_bytes := allocated[cells, on = measured_cell, x.allocated_bytes]]
  cells[, warm_up_state := cell_states(shown)[cells, on = measured_cell, x.warm_up_state]]
  operation <- c("experiment", "machine_id", "workload", "protocol", "cpu_profile")
  ranked <- rbindlist(lapply(split(cells, by = operation), ratios_to_fastest, long))
  ranked[, c(cell_columns(forks), setdiff(ranking_columns, cell_keys)), with = FALSE][]
}

#' The cells of an operation with their rank, and their ratio to the fastest cell with a simultaneous interval.
ratios_to_fastest <- function(cells, long) {
  cells <- cells[order(time_ns)][, rank := .I]
  cells[, `:=`(own_environment = environment, own_image_id = image_id)]
  fastest <- cells[rep(1, .N)]
  pairs <- sided("rank", cells, fastest)
  pairs[, `:=`(protocol = numerator_protocol, target_lower = 0, target_upper = Inf)]
  all_pairs <- max(1, nrow(cells) * (nrow(cells) - 1) / 2)
  found <- estimate_pairs(pairs, long, 1 - (1 - 0.95) / all_pairs, lone = TRUE)
  cells[, `:=`(ratio = found$ratio, ratio_lower = found$lower, ratio_upper = found$upper)]
  cells[1, `:=`(ratio = 1, ratio_lower = NA_real_, ratio_upper = NA_real_)][]
}

command_rank_cells <- function(words) {
  arguments <- read_arguments(
    list(
      tidy = list(text = "the tidy directory", required = TRUE, folder = TRUE),
      out = list(text = "the file to write", required = TRUE)
    ),
    "Ranks the cells of each operation by their time.",
    words
  )
  forks <- read_table(file.path(arguments$tidy, "forks.csv"), fork_columns)
  observed <- read_table(file.path(arguments$tidy, "observed.csv"), observed_columns)
  write_table(rank_cells(forks, observed), arguments$out)
}

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
  if (nrow(found) == 0) no_rows(today_columns) else found
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
