# Two studies that contradict each other, side by side: kofahi2013 (K4, K1) and chromiak (C4, C9). What is changed from
# row to row says what explains the difference: the first seeding, the cold JVM's first operation, warm-up, size.

settled_rows <- c(
  "objects, as published" = "as-published", "without the first seeding" = "seeding",
  "without the first operation" = "later", "objects, modern" = "modern",
  "files of 100 KB, as published" = "file-published", "files of 100 KB, modern" = "file-modern"
)

#' Per fork: key generation over encryption, and the time that is compared between ciphers, for each row.
settled_objects <- function(values) {
  names <- c(fork_key, "factor.cipher", "cpu_profile", "provider", "protocol")
  wide <- data.table::dcast(values, paste(paste(names, collapse = " + "), "~ measure"), value.var = "value")
  row <- function(from, name, ratio, time) {
    wide[protocol == from, .(factor.cipher, cpu_profile, provider, row = name, ratio = ratio(.SD), time = time(.SD))]
  }
  optional <- function(table, name) if (name %in% names(table)) table[[name]] else rep(NA_real_, nrow(table))
  shares <- function(table, prefix = "") {
    optional(table, paste0(prefix, "share.generate-key")) / optional(table, paste0(prefix, "share.encrypt"))
  }
  without <- function(table) {
    all <- table[["share.generate-key"]]
    less <- optional(table, "share.generate-key.without-seeding")
    less * (1 - all) / ((1 - less) * table[["share.encrypt"]])
  }
  rbind(
    row("as-published", "as-published", shares, function(table) table$total),
    row("as-published", "seeding", without, function(table) {
      table$total * (1 - table[["share.generate-key"]]) / (1 - optional(table, "share.generate-key.without-seeding"))
    }),
    row("as-published", "later", function(table) shares(table, "later."), function(table) {
      optional(table, "later.total")
    }),
    row("modern", "modern", shares, function(table) table$total)
  )[is.finite(ratio) & is.finite(time)]
}

#' The same of kofahi2013's files: key generation and encryption are different forks of the same round there.
settled_files <- function(forks) {
  forks <- forks[experiment == "kofahi2013" & workload %in% c("generate-key", "encrypt") & cpu_ns_per_op > 0]
  if (!all(c("factor.cipher", "factor.size") %in% names(forks))) return(NULL)
  forks <- forks[factor.size %in% c("", "100 KB") & factor.cipher %in% c("DES", "Triple-DES", "Blowfish", "AES")]
  wide <- forks[, .(
    key = exp(mean(log(cpu_ns_per_op[workload == "generate-key"]))),
    time = exp(mean(log(cpu_ns_per_op[workload == "encrypt"])))
  ), by = .(environment, round, factor.cipher, cpu_profile, provider, protocol)]
  wide[is.finite(key) & is.finite(time), .(
    factor.cipher, cpu_profile, provider, row = ifelse(protocol == "modern", "file-modern", "file-published"),
    ratio = key / time, time
  )]
}

settled_panels <- function(values) {
  by <- c("factor.cipher", "cpu_profile", "provider", "row")
  keys <- observed_log_means(values[, value := ratio], by)[, panel := "key generation / encryption"]
  two <- values[factor.cipher %in% c("AES", "Blowfish")]
  fast <- two[, .(mean = mean(log(time)), v = stats::var(log(time)), n = .N), by = by]
  both <- merge(
    fast[factor.cipher == "AES"], fast[factor.cipher == "Blowfish"], by = by[-1], suffixes = c(".a", ".b")
  )
  ratios <- both[, suppressWarnings(welch_ratio(mean.a, v.a, n.a, mean.b, v.b, n.b))]
  times <- cbind(both[, by[-1], with = FALSE], ratios[, .(mean = ratio, lower, upper)])
  times[, `:=`(factor.cipher = "AES", panel = "AES / Blowfish, whole time")]
  panels <- rbind(keys, times, fill = TRUE)
  # An interval from too few forks would leave no room for the rest.
  panels[, `:=`(lower = pmax(lower, min(mean) / 10), upper = pmin(upper, max(mean) * 10)), by = panel][]
}

settled_plot <- function(panels) {
  ciphers <- intersect(c("DES", "Triple-DES", "Blowfish", "AES"), panels$factor.cipher)
  panels[, row := factor(row, levels = rev(settled_rows), labels = rev(names(settled_rows)))]
  panels[, setting := paste(provider, if (data.table::uniqueN(cpu_profile) > 1) cpu_profile else "")]
  dodge <- position_dodge(width = 0.75)
  ggplot(panels, aes(x = mean, y = row, colour = factor.cipher, shape = setting)) +
    geom_vline(xintercept = 1, colour = "grey40", linewidth = 0.3) +
    geom_linerange(aes(xmin = lower, xmax = upper), position = dodge, linewidth = 0.45, na.rm = TRUE) +
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
  if (!"factor.cipher" %in% names(data$forks)) return(list())
  place_one <- data$places$label[1]
  values <- observed_of(data, "chromiak")[
    as.character(place) == place_one & workload == "chain" & (measure == "total" | grepl("share|later", measure))
  ]
  if (!any(values$measure == "share.generate-key")) return(list())
  found <- rbind(settled_objects(values), settled_files(data$forks[as.character(place) == place_one]))
  panels <- settled_panels(found)
  middle <- panels[startsWith(panel, "key"), .(mean = exp(mean(log(mean)))), by = row]
  said <- middle[, paste0(
    format_significant(mean, 2), " (", names(settled_rows)[match(row, settled_rows)], ")"
  )]
  rows <- data.table::uniqueN(panels$row)
  list(new_figure(
    "settled-chromiak", "chromiak", "Key generation and the fastest cipher: the two studies side by side",
    paste0(
      "Left: C9 and K1, the time with AES over that with Blowfish; of objects the time of all steps, of files that ",
      "of encryption. Right: C4 and K4, key generation's time over encryption's. From row to row one thing changes: ",
      "the first seeding of SecureRandom and the cold JVM's first operation are taken out, then the JVM is warm, then ",
      "the message is 20 times as long. 95 % intervals over forks, cut where they are far too wide, in ", place_one,
      ". Key generation over encryption is, as the ciphers' geometric mean, ", format_list(said), ".",
      if (!any(startsWith(found$row, "file"))) " kofahi2013 is not part of this run." else ""
    ),
    paste0("Dot plot of ratios. Key generation over encryption: ", format_list(said), "."),
    settled_plot(panels), 11 * rows + 34
  ))
}
