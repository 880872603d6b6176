# What of a directory could not be taken as it is, and why: nothing is dropped in silence.

#' @param what,expected as in `refuse`; `left` what is left out for it: `file`, `result`, `fork`, `metric`, or
#'   `nothing`, where what is there is taken; `entry` the result's place in its file, `benchmark` of it
#' @return data.table of one row
finding <- function(what, expected, left, file = "", entry = NA_integer_, benchmark = "") {
  data.table(
    file = file, entry = as.integer(entry), benchmark = benchmark, left_out = left, what = what, expected = expected
  )
}

no_findings <- finding("", "", "")[0]

#' Findings in lines for people; files that have nothing of JMH in one line.
#'
#' @param folder above the files
finding_words <- function(folder, findings) {
  foreign <- findings[what == foreign_json, file]
  told <- findings[what != foreign_json]
  taken <- c(
    file = "the file is left out", result = "the result is left out", fork = "the fork is left out",
    metric = "the metric is left out", nothing = "what is there is taken"
  )
  one_line(c(
    sprintf("%s: %s; expected %s; %s", file.path(folder, told$file), told$what, told$expected, taken[told$left_out]),
    if (length(foreign) > 0) sprintf(
      "%s: %d JSON files that aren't JMH's are left out: %s", folder, length(foreign), some_of(foreign)
    )
  ))
}

foreign_json <- "is JSON without a result of JMH"
