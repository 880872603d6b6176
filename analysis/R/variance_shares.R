# Where the variance of log times comes from: operating system, JDK, CPU class, provider, fork, iteration.
#
# The data are fork means y = log(mean time). Within each workload (with its levels of the experiment's factors) cells
# differ by system, JDK, CPU profile and provider. Their effects on the log time add up, but for what is called
# interaction:
#   cell mean = workload + system + JDK + CPU profile + provider + interaction.
# Effects are estimated by least squares on unweighted cell means, so that an unbalanced design is adjusted for, and
# each workload has its own. A factor's component is the variance of the effects of the levels that were measured, each
# counted once (the finite population's, divisor k; Cornfield and Tukey 1956), which in a full crossing makes the
# components add up to the variance of the data. It is a quadratic form of the cell means, m'Qm, from which its expected
# noise is subtracted, tr(QV), V the squared standard errors of the cell means. Interaction is the mean squared
# residual, corrected alike. Fork and iteration are Kalibera and Jones' T^2 on the log scale: the variance of log fork
# means less the iterations' share of it, and the squared coefficient of variation within forks. Components are means
# over the workloads; below 0 they are 0 (no evidence). Shares are of their sum.
#
# Factors whose levels were not crossed enough to be told apart get no number where that is so (linearity.R); what
# they make up together is a component of its own: the variance of the blocks' means.

matrix_factors <- c("system", "jdk", "cpu_profile", "provider")

#' Shares of the variance of log time.
#'
#' @param forks data.table of one machine and protocol: `unit` (workload and levels), `system`, `jdk`, `cpu_profile`,
#'   `provider`, `mean` (time per operation), `sd` (within the fork), `iterations`
#' @param replicates of the bootstrap over forks for the intervals; `seed` of its random numbers
#' @return list: `components`, a data.table with `component`, `variance`, `share`, `lower`, `upper` (95 %), `levels`
#'   compared; `confounded` factors; `blocks`: data.table of the combinations with their `block`; `units`, how many
variance_shares <- function(forks, replicates = 200L, seed = 1L) {
  cells <- variance_cells(forks)
  design <- unique(cells[, matrix_factors, with = FALSE])
  apart <- separable_blocks(design)
  blocks <- copy(design)[, block := apart$block]
  cells <- blocks[cells, on = matrix_factors]
  drawn <- with_seed(seed, resampled_cells(forks, cells, replicates))
  forms <- lapply(split(seq_len(nrow(cells)), cells$unit), function(rows) {
    unit_forms(cells[rows], rows, apart$confounded)
  })
  found <- components_of(forms, cells, lapply(cells[, .(mean, s2, w2)], as.matrix), 1)
  boot <- components_of(forms, cells, drawn, 2)
  shares <- apply(pmax(boot, 0), 2, function(column) column / sum(column))
  kept <- blocks[block == 1]
  levels <- vapply(rownames(found), function(name) {
    if (name %in% matrix_factors) uniqueN(kept[[name]]) else if (name == "joint") uniqueN(blocks$block) else NA_integer_
  }, 0L)
  components <- data.table(
    component = rownames(found), variance = found[, 1], share = pmax(found[, 1], 0) / sum(pmax(found[, 1], 0)),
    lower = apply(shares, 1, stats::quantile, 0.025, na.rm = TRUE),
    upper = apply(shares, 1, stats::quantile, 0.975, na.rm = TRUE), levels = levels
  )
  list(
    components = components[!(component %in% matrix_factors & levels < 2) & !(component == "joint" & levels < 2)],
    confounded = apart$confounded, blocks = blocks, units = length(forms)
  )
}

#' Cells with the mean and variance of their log fork means, and the variance of log iterations within forks.
variance_cells <- function(forks) {
  cells <- forks[, .(mean = mean(log(mean)), s2 = stats::var(log(mean)), n = .N, w2 = mean((sd / mean)^2, na.rm = TRUE),
                     per_fork = mean(iterations)), by = c("unit", matrix_factors)]
  # A single fork has no variance of its own, and a single iteration neither.
  cells[is.na(s2), s2 := fcoalesce(mean(cells$s2, na.rm = TRUE), 0)]
  cells[is.na(w2), w2 := 0]
  setorderv(cells, c("unit", matrix_factors))
  cells[]
}

#' The cells' mean, variance between and within forks, with forks drawn anew from each cell: matrices of cells by
#' replicates. Deviations are scaled to the variance of the forks, which drawing makes smaller by (n - 1) / n.
resampled_cells <- function(forks, cells, replicates) {
  of_cell <- forks[cells, on = c("unit", matrix_factors), .(y = log(x.mean), w = (x.sd / x.mean)^2), by = .EACHI]
  groups <- split(seq_len(nrow(of_cell)), rep(seq_len(nrow(cells)), cells$n))
  out <- list(mean = matrix(0, nrow(cells), replicates), s2 = matrix(0, nrow(cells), replicates),
              w2 = matrix(0, nrow(cells), replicates))
  for (i in seq_len(nrow(cells))) {
    n <- cells$n[i]
    if (n == 1) {
      for (name in names(out)) out[[name]][i, ] <- cells[[name]][i]
      next
    }
    chosen <- sample.int(n, n * replicates, replace = TRUE)
    y <- matrix(of_cell$y[groups[[i]]][chosen], n)
    centre <- colMeans(y)
    out$mean[i, ] <- cells$mean[i] + (centre - cells$mean[i]) * sqrt(n / (n - 1))
    out$s2[i, ] <- (colMeans(y^2) - centre^2) * (n / (n - 1))^2
    w <- of_cell$w[groups[[i]]]
    out$w2[i, ] <- if (anyNA(w)) cells$w2[i] else colMeans(matrix(w[chosen], n))
  }
  out
}

#' The quadratic forms of one workload: a list by component of list(`rows` of cells, `form`).
unit_forms <- function(cells, rows, confounded) {
  kept <- which(cells$block == 1)
  forms <- c(additive_forms(cells[kept]), list(joint = NULL))
  forms <- lapply(forms, function(form) if (!is.null(form)) list(rows = rows[kept], form = form))
  joint <- if (length(confounded) > 0) block_form(cells, confounded)
  if (!is.null(joint)) forms$joint <- list(rows = rows, form = joint)
  forms
}

#' For each factor, and for interaction, the matrix Q of its variance among cell means.
additive_forms <- function(cells) {
  factors <- matrix_factors[vapply(matrix_factors, function(name) uniqueN(cells[[name]]) > 1, TRUE)]
  n <- nrow(cells)
  if (length(factors) == 0) return(list())
  coded <- lapply(factors, function(name) {
    levels <- unique(cells[[name]])
    outer(cells[[name]], levels[-1], "==") + 0
  })
  design <- do.call(cbind, c(list(rep(1, n)), coded))
  if (qr(design)$rank < ncol(design)) return(list())
  solved <- solve(crossprod(design), t(design))
  ends <- cumsum(vapply(coded, ncol, 0L)) + 1L
  forms <- Map(function(block, end) {
    k <- ncol(block) + 1L
    effects <- rbind(0, solved[(end - k + 2L):end, , drop = FALSE])
    centred <- sweep(effects, 2, colMeans(effects))
    crossprod(centred) / k
  }, coded, ends)
  residual <- diag(n) - design %*% solved
  c(stats::setNames(forms, factors), list(interaction = crossprod(residual) / n))
}

#' The matrix of the variance of the blocks' means, adjusted for the factors that are not confounded.
block_form <- function(cells, confounded) {
  group <- do.call(paste, c(cells[, confounded, with = FALSE], sep = "\r"))
  groups <- unique(group)
  others <- setdiff(matrix_factors, confounded)
  coded <- c(list(outer(group, groups, "==") + 0), lapply(others, function(name) {
    # Sum to zero, so that a group's coefficient is its mean over the other factors' levels.
    levels <- unique(cells[[name]])
    if (length(levels) > 1) outer(cells[[name]], levels[-1], "==") - (cells[[name]] == levels[1])
  }))
  design <- do.call(cbind, Filter(Negate(is.null), coded))
  if (uniqueN(cells$block) < 2 || qr(design)$rank < ncol(design)) return(NULL)
  solved <- solve(crossprod(design), t(design))[seq_along(groups), , drop = FALSE]
  block <- cells$block[match(groups, group)]
  means <- solved
  for (one in unique(block)) {
    means[block == one, ] <- rep(colMeans(solved[block == one, , drop = FALSE]), each = sum(block == one))
  }
  centred <- sweep(means, 2, colMeans(means))
  crossprod(centred) / length(groups)
}

#' Components (rows) of each replicate (columns).
#'
#' @param values list of matrices `mean`, `s2`, `w2`, cells by replicates
#' @param times how often the expected noise is subtracted: once from an estimate; from a bootstrap replicate twice,
#'   since drawing anew adds it a second time
components_of <- function(forms, cells, values, times) {
  names <- c(matrix_factors, "joint", "interaction")
  out <- matrix(0, length(names) + 2, ncol(values$mean), dimnames = list(c(names, "fork", "iteration"), NULL))
  for (unit in forms) {
    for (name in intersect(names, names(unit))) {
      rows <- unit[[name]]$rows
      if (is.null(rows)) next
      form <- unit[[name]]$form
      mean <- values$mean[rows, , drop = FALSE]
      noise <- colSums(diag(form) * values$s2[rows, , drop = FALSE] / cells$n[rows])
      if (times == 2) noise <- noise + sum(diag(form) * cells$s2[rows] / cells$n[rows])
      out[name, ] <- out[name, ] + colSums(mean * (form %*% mean)) - noise
    }
  }
  out <- out / length(forms)
  out["iteration", ] <- colMeans(values$w2)
  out["fork", ] <- colMeans(values$s2 - values$w2 / cells$per_fork)
  out
}

# Where the variance of times comes from, as a table: a row per experiment, machine and source, and where several
# machines measured the same cells a row per experiment and level, of which the machine is the highest.

share_columns <- columns_of("variance_shares.csv")

#' The decomposition of every experiment and machine with several combinations of environment and CPU profile, under
#' the last protocol; and of every experiment between and within the machines that measured the same cells.
#'
#' @param forks the table `forks.csv`, of forks that count; `definitions` of definitions.json
#' @return the table `variance_shares.csv` of the dictionary; the sources in the order of `variance_shares`
share_table <- function(forks, definitions) {
  parts <- environment_parts(definitions, unique(forks$environment))
  rows <- lapply(definitions$experiments, function(study) {
    name <- study$measure %||% "wall"
    last <- utils::tail(names(study$protocols), 1)
    own <- forks_by_measure(forks[experiment == study$id & protocol %in% last])[measure == name & mean_ns > 0]
    each <- lapply(split(own, by = "machine_id"), function(here) {
      if (nrow(unique(here[, .(environment, image_id, cpu_profile)])) < 2) return(NULL)
      cbind(here[1, .(experiment, machine_id, protocol, measure)], share_rows(here, parts))
    })
    rbindlist(c(each, list(machine_rows(own))), use.names = TRUE)
  })
  blank <- as.data.table(sapply(setdiff(share_columns, "share_id"), function(column) character()))
  table <- rbindlist(c(list(blank), rows), use.names = TRUE)[, share_id := sprintf("s%d", .I)]
  table[, share_columns, with = FALSE]
}

share_rows <- function(forks, parts) {
  at <- match(forks$environment, parts$environment)
  work <- c("workload", factor_columns(forks))
  found <- variance_shares(forks[, .(
    unit = do.call(paste, c(.SD, sep = "\r")), system = parts$system[at], jdk = parts$jdk[at], cpu_profile, provider,
    mean = mean_ns, sd = sd_ns, iterations = measured_iterations
  ), .SDcols = work])
  sources <- data.table(component = union(matrix_factors, found$components$component))
  rows <- found$components[sources, on = "component"]
  main <- found$blocks[block == 1]
  rows[, compared := vapply(component, function(name) {
    if (!name %in% matrix_factors) return("")
    joined((if (is.finite(rows[component == name]$variance)) main else found$blocks)[[name]])
  }, "")]
  outside <- unique(found$blocks[block > 1, found$confounded, with = FALSE])
  apart <- if (ncol(outside) > 0) do.call(paste, c(outside, sep = "|")) else character()
  rows[, `:=`(confounded = component %in% found$confounded, apart = fifelse(component == "joint", joined(apart), ""))][]
}

#' The rows over machines, whose `machine_id` is empty; NULL where no cell was measured on two. Kits whose JVM is the
#' same one are machines of one environment, as in verdicts over machines.
machine_rows <- function(forks) {
  if (uniqueN(forks$machine_id) < 2) return(NULL)
  at <- fifelse(forks$environment == paste0("kit-", forks$machine_id), "kit", forks$environment)
  named <- forks[, c("image_id", "cpu_profile", "provider", "workload", factor_columns(forks)), with = FALSE]
  found <- machine_shares(forks[, .(
    unit = do.call(paste, c(list(at), named, sep = "\r")), machine = machine_id, round = paste(environment, round),
    mean = mean_ns, sd = sd_ns, iterations = measured_iterations
  )])
  if (is.null(found)) return(NULL)
  found[component != "machine", levels := NA_integer_]
  found[, `:=`(compared = "", confounded = FALSE, apart = "")]
  shared <- unique(data.table(at, named, machine_id = forks$machine_id))
  shared <- shared[, if (.N > 1) .SD, by = c("at", names(named))]
  found[component == "machine", compared := joined(shared$machine_id)]
  cbind(forks[1, .(experiment, machine_id = "", protocol, measure)], found)
}

joined <- function(values) paste(sort(unique(values), method = "radix"), collapse = ";")
