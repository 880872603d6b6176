# What the intervals and verdicts were measured to do in simulation: analysis/validity.csv, by property.

#' What a property is, for a reader who has not seen the simulation.
property_words <- c(
  "coverage of the mean's 95 % interval" = "how often the interval of a cell's mean holds the true mean",
  "coverage of the ratio's 95 % interval" = "how often the interval of a ratio holds the true ratio",
  "negative control: coverage of an interval that pools iterations" =
    "an interval that takes iterations for independent, which must fail",
  "A/A pairs found different" = "how often two cells that do the same are told apart, which is a false alarm",
  "an effect of 2 % found" = "how often a true difference is found",
  "coverage after Stein's two stages" = "the interval's promise where the forks were planned from the first of them",
  "coverage of the ratio's 95 % interval after two stages" =
    "the same for a ratio of two cells that were planned apart",
  "reports with any wrong verdict" = "simulated reports in which any verdict is wrong, Holm over all their claims",
  "wrong verdicts of combined stages, the truth on the limit" =
    "how often a claim is decided where neither verdict is right, with a second stage as large as the first asks for",
  "coverage of the repeated interval of combined stages, a CV off the limit" =
    "how often the interval after the last stage holds the true ratio, which is as far off as forks differ",
  "reports with any wrong verdict of combined stages, Holm over repeated p values" =
    "the same as wrong verdicts, for all claims of a report together",
  "a machine that drifts by 2 % between stages is marked" = "how often a change between stages is seen",
  "a machine that does not drift is marked" = "how often one is seen that is not there",
  "coverage of the repeated interval where no drift is marked, drifts from 0 to 2 %" =
    "the interval's promise beside drifts too small to be seen, which both cells of a ratio share",
  "coverage of the ratio's 95 % interval, rounds make a fifth of the variance" =
    "how often the interval of a ratio holds the true ratio where a round is slow or fast for both cells",
  "whole runs with any wrong verdict, each stage planned from what is open" =
    "simulated runs, planned as real ones are, in which any verdict is wrong",
  "coverage of the 95 % interval over machines" =
    "how often the interval over several machines holds what such machines give on average",
  "coverage of the 95 % prediction of one more machine" =
    "how often what one more such machine gives is where it was predicted",
  "real A/A pairs found different: upper bound" =
    "not simulated: cells of a real run, five forks of each against its other five (make real-pairs)"
)

table_validity <- function(data) {
  rows <- data$validity
  simulations <- range(c(rows$simulations[is.finite(rows$simulations)], if (nrow(rows) == 0) 0))
  list(
    simulations = paste(unique(format_count(simulations)), collapse = " to "),
    failed = format_count(sum(rows$met %in% FALSE)), bars = format_count(sum(!is.na(rows$met))),
    groups = lapply(unname(split(rows, by = "property", sorted = FALSE)), function(part) {
      known <- part$property[1] %in% names(property_words)
      list(
        property = part$property[1], words = if (known) property_words[[part$property[1]]] else "",
        rows = lapply(seq_len(nrow(part)), function(i) {
          row <- part[i]
          list(
            setting = row$setting, bar = row$bar, measured = format_fixed(row$measured_pct, 2),
            met = if (is.na(row$met)) dash else if (row$met) "yes" else "NO"
          )
        })
      )
    })
  )
}
