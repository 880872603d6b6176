# Key generation against encryption, and AES against Blowfish, in every experiment that has them: studies that
# contradict each other stand side by side, and from row to row it shows what explains the difference.

#' What is timed, in words: `chain, as-published, without the first operation`; of two cells the denominator.
settled_words <- function(rows, cells) {
  at <- match(ifelse(nzchar(rows$denominator_cell), rows$denominator_cell, rows$cell), cells$cell)
  work <- do.call(paste, cells[at, c("workload", setdiff(factor_columns(cells), "factor.cipher")), with = FALSE])
  told <- ifelse(startsWith(rows$measure, "later."), ", without the first operation", "")
  part <- sub("^.*\\.without-", ", without the first ", rows$measure)
  part[part == rows$measure] <- ""
  paste0(trimws(gsub("\\s+", " ", work)), ", ", rows$protocol, told, part)
}

#' The ratios of one kind in the first environment, with `row` and `panel`.
settled_ratios <- function(data, kind, panel) {
  found <- lapply(names(data$experiments), function(id) {
    rows <- ratios_of(data, id, kind)[as.character(place) == data$places$label[1] & nzchar(factor.cipher)]
    rows[, `:=`(panel = panel, row = settled_words(rows, data$cells[experiment == id]))][]
  })
  rbindlist(found, fill = TRUE)[is.finite(ratio)]
}

settled_plot <- function(rows) {
  rows <- data.table::copy(rows)
  ciphers <- unique(rows$factor.cipher)
  profiles <- data.table::uniqueN(rows$cpu_profile) > 1
  rows[, `:=`(
    row = factor(row, levels = rev(unique(row))), setting = trimws(paste(provider, if (profiles) cpu_profile else ""))
  )]
  # An interval from too few forks would leave no room for the rest.
  rows[, `:=`(low = pmax(lower, min(ratio) / 10), high = pmin(upper, max(ratio) * 10)), by = panel]
  dodge <- position_dodge(width = 0.75)
  ggplot(rows, aes(x = ratio, y = row, colour = factor.cipher, shape = setting)) +
    geom_vline(xintercept = 1, colour = "grey40", linewidth = 0.3) +
    geom_linerange(aes(xmin = low, xmax = high), position = dodge, linewidth = 0.45, na.rm = TRUE) +
    geom_point(position = dodge, size = 1.2) +
    facet_wrap(vars(panel), scales = "free_x") +
    scale_x_log10(breaks = log_breaks, labels = label_number) +
    scale_colour_manual(NULL, values = rep_len(place_colours, length(ciphers)), breaks = ciphers) +
    scale_shape_manual(NULL, values = rep_len(place_shapes, 12)) +
    labs(x = "ratio", y = NULL) +
    theme_report() +
    theme(legend.box = "vertical", legend.spacing.y = unit(0, "mm"), panel.grid.major.y = element_blank())
}

figure_settled <- function(data) {
  if (!"factor.cipher" %in% names(data$cells)) return(list())
  keys <- settled_ratios(data, "key generation", "key generation / encryption")
  # Cells alone stand among their claims' ratios; the parts of a cell's steps stand here only.
  own <- keys[!nzchar(denominator_cell)]
  if (nrow(own) == 0) return(list())
  rows <- rbind(settled_ratios(data, "AES / Blowfish", "AES / Blowfish, whole time"), keys)
  ends <- keys[, .(said = paste(unique(format_significant(range(ratio), 2)), collapse = " to ")), by = row]
  said <- ends[, paste0(said, " (", row, ")")]
  list(new_figure(
    paste0("settled-", own$experiment[1]), own$experiment[1],
    "Key generation and the fastest cipher, held against each other",
    paste0(
      "Left: the time with AES over that with Blowfish; of objects the time of all steps, of files that of ",
      "encryption. Right: key generation's time over encryption's. Between rows of one workload it is the first ",
      "seeding of SecureRandom or the cold JVM's first operation that is taken out, or the protocol that differs; ",
      "workloads differ in message, clock, key lengths and mode too. 95 % intervals over forks, cut where they are ",
      "far too wide, in ", data$places$label[1], ", of ", format_list(unique(rows$experiment)),
      ". Key generation over encryption is ",
      format_some(said, 8), "."
    ),
    paste0("Dot plot of ratios. Key generation over encryption: ", format_some(said, 8), "."),
    settled_plot(rows), min(7 * data.table::uniqueN(rows$row) + 40, page_height_mm)
  ))
}
