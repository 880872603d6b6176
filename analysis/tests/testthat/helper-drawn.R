# Holds what figures draw against the rows of the tidy tables, by the rows' ids.

drawn_ids <- list(
  verdicts = "verdict_id", ratios = "ratio_id", observed_means = "observed_id", contrasts = "contrast",
  cells = "row", published = "published_id"
)
drawn_units <- c(1, 100, 1e-3, 1e-6, 1e-9)

# Figures of raw rows (iterations, pauses, counts), which have no estimate for a point or bar.
raw_figures <- "^(iterations|pauses|bytes)"

plots_in <- function(plot) {
  if (!inherits(plot, "patchwork")) return(list(plot))
  c(unlist(lapply(plot$patches$plots, plots_in), recursive = FALSE), list(plot))
}

#' The numbers of a plotted row's own tidy row; none where it names no row, or one that is not there.
tidy_numbers <- function(row, data) {
  for (table in intersect(names(drawn_ids), names(data))) {
    id <- as.list(row)[[drawn_ids[[table]]]]
    if (is.null(id) || is.na(id) || id == "") next
    found <- data[[table]][data[[table]][[drawn_ids[[table]]]] == id]
    if (nrow(found) == 1) return(unlist(Filter(is.double, as.list(found))))
  }
  numeric()
}

#' Every point, bar and tile stands at a number of its row, and no line reaches beyond its row's interval.
expect_rows_drawn <- function(figures, data) {
  checks <- drawn_checks(figures, data)
  expect_gt(length(checks), 0)
  expect_identical(toString(names(checks)[!checks]), "")
}

#' TRUE or FALSE for each number that is drawn, named by where it is.
drawn_checks <- function(figures, data) {
  unlist(lapply(figures, function(figure) {
    if (grepl(raw_figures, figure$id)) return(NULL)
    lapply(plots_in(figure$plot), function(plot) {
      lapply(plot$layers, function(layer) layer_checks(layer, plot, data, figure$id))
    })
  }))
}

layer_checks <- function(layer, plot, data, id) {
  kind <- class(layer$geom)[1]
  ends <- c("xmin", "xmax", "ymin", "ymax")
  aims <- switch(kind,
    GeomPoint = , GeomCol = , GeomBar = c("x", "y"), GeomTile = "fill", GeomLinerange = , GeomErrorbar = ends, NULL
  )
  rows <- if (is.data.frame(layer$data)) layer$data else plot$data
  if (is.null(aims) || !is.data.frame(rows) || nrow(rows) == 0) return(NULL)
  mapping <- utils::modifyList(as.list(plot$mapping), as.list(layer$mapping))
  unlist(lapply(intersect(aims, names(mapping)), function(aim) {
    # A study's own number, and places on an axis that has no numbers.
    if (rlang::as_label(mapping[[aim]]) %in% c("then", "at", "y", "centre", "-row")) return(NULL)
    values <- if (aim == "fill") rows$ratio else rlang::eval_tidy(mapping[[aim]], rows)
    if (!is.numeric(values)) return(NULL)
    at <- which(is.finite(values))
    found <- vapply(at, function(i) {
      own <- tidy_numbers(rows[i, ], data)
      if (aim %in% ends) return(within_interval(values[i], own))
      any(abs(values[i] - outer(own, drawn_units)) <= 1e-9 * abs(values[i]), na.rm = TRUE)
    }, TRUE)
    stats::setNames(found, paste(id, kind, aim, signif(values[at], 4))[seq_along(found)])
  }))
}

#' Whether a line's end lies at or within an interval of the row: it may be cut to the axis, never lengthened.
within_interval <- function(value, own) {
  lower <- own[grep("lower", names(own))]
  upper <- own[grep("upper", names(own))]
  slack <- 1 + c(-1, 1) * 1e-9
  any(vapply(drawn_units, function(unit) {
    any(value >= lower * unit * slack[1] & value <= upper * unit * slack[2], na.rm = TRUE)
  }, TRUE))
}
