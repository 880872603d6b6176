# Does a verdict change with the operating system, the JDK or the CPU class? Pairs of places that differ in that one
# alone.

matrix_dimensions <- c(system = "operating system", jdk = "JDK", cpu_profile = "CPU class")

#' Every pair of verdicts of the same statement, protocol and machine whose places differ in one dimension only.
#'
#' @param verdicts the table verdicts.csv; `parts` of `environment_parts`
#' @return data.table: `dimension`, `experiment`, `claim`, `variant`, `protocol`, `system`, `jdk`, `cpu_profile` (what
#'   both share; empty in the dimension itself), `one`, `two` (levels of the dimension), `verdict_one`, `verdict_two`,
#'   `id_one`, `id_two`
verdict_changes <- function(verdicts, parts) {
  rows <- verdicts[!verdict %in% unjudged_kinds & nzchar(environment)]
  known <- parts[match(rows$environment, parts$environment)]
  shared <- is_shared(rows$environment)
  rows <- rows[, .(
    experiment, claim, variant, protocol, machine_id, cpu_profile, verdict, verdict_id,
    system = ifelse(shared, ifelse(startsWith(environment, "*"), "*", sub("-\\*$", "", environment)), known$system),
    jdk = ifelse(shared, ifelse(endsWith(environment, "*"), "*", sub("^\\*-", "", environment)), known$jdk)
  )]
  found <- lapply(names(matrix_dimensions), function(dimension) {
    others <- setdiff(names(matrix_dimensions), dimension)
    by <- c("experiment", "claim", "variant", "protocol", "machine_id", others)
    rank <- if (dimension == "cpu_profile") union("native", rows$cpu_profile) else unique(parts[[dimension]])
    here <- rows[get(dimension) %in% setdiff(rank, c("", "*"))]
    # In the order of the definitions, so that a pair is told once and always the same way round.
    here[, at := match(get(dimension), rank)]
    pairs <- merge(here, here, by = by, suffixes = c("_one", "_two"), allow.cartesian = TRUE)[at_one < at_two]
    levels <- pairs[, .(
      one = get(paste0(dimension, "_one")), two = get(paste0(dimension, "_two")), verdict_one, verdict_two,
      id_one = verdict_id_one, id_two = verdict_id_two
    )]
    cbind(pairs[, by, with = FALSE], levels)[, dimension := dimension][]
  })
  rbindlist(found, use.names = TRUE, fill = TRUE)
}

#' Whether two verdicts contradict each other, rather than one being less sure.
opposite_verdicts <- function(one, two) {
  sure <- c("supported", "refuted")
  one != two & one %in% sure & two %in% sure
}

#' One claim and dimension in words: how many pairs there are, and the pairs whose verdicts differ.
#'
#' @param pairs rows of `verdict_changes`
#' @return list: `answer` (`only one measured`, `no`, `yes`, `less sure`), `text`
describe_changes <- function(pairs, parts) {
  if (nrow(pairs) == 0) return(list(answer = "only one measured", text = ""))
  count <- format_plural(nrow(pairs), "pair")
  changed <- pairs[verdict_one != verdict_two]
  if (nrow(changed) == 0) return(list(answer = "no", text = paste("alike in", count)))
  changed <- changed[order(!opposite_verdicts(verdict_one, verdict_two))]
  opposite <- sum(opposite_verdicts(changed$verdict_one, changed$verdict_two))
  # The same two levels with the same two verdicts are one item, whatever else they were measured with.
  items <- changed[, .(n = .N, where = shared_words(.SD, parts)), by = .(one, two, verdict_one, verdict_two, dimension)]
  said <- items[, sprintf(
    "%s %s, %s %s (%s)", part_words(parts, dimension[1], one), verdict_one, part_words(parts, dimension[1], two),
    verdict_two, where
  )]
  list(
    answer = if (opposite > 0) "yes" else "less sure",
    text = sprintf("in %s of %s: %s", format_count(nrow(changed)), count, format_some(said, 3))
  )
}

#' What the places of a pair share, in words, where all agree; else how many pairs there are.
shared_words <- function(rows, parts) {
  one <- rows[1]
  said <- c(
    if (!is.na(one$jdk) && one$jdk != "*") part_words(parts, "jdk", one$jdk),
    if (!is.na(one$system) && one$system != "*") part_words(parts, "system", one$system),
    if (!is.na(one$cpu_profile) && nzchar(one$cpu_profile)) one$cpu_profile, format_variant(one$variant), one$protocol
  )
  text <- paste(said[nzchar(said)], collapse = ", ")
  if (nrow(rows) == 1) text else sprintf("%s and %d more", text, nrow(rows) - 1)
}
