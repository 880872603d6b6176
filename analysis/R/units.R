# Units of JMH's numbers: which fit a mode, and how one is turned into another.

time_units <- c(ns = 1, us = 1e3, ms = 1e6, s = 1e9, min = 60e9, hr = 3600e9, day = 86400e9)

#' The unit, which must be one of the mode's: operations per time for throughput, else time per operation. The first
#' versions of JMH write a single shot's time without "/op".
mode_unit <- function(mode, unit, bad) {
  times <- names(time_units)
  if (mode == "ss" && unit %in% times) unit <- paste0(unit, "/op")
  fits <- unit %in% if (mode == "thrpt") paste0("ops/", times) else paste0(times, "/op")
  if (!fits) bad(
    sprintf("of mode %s is in '%s'", mode, unit), if (mode == "thrpt") "ops/s or the like" else "s/op or the like"
  )
  unit
}

#' By what a number in one unit is multiplied to be one in another; NA where they don't measure the same. Vectorised.
unit_factor <- function(from, to) {
  time <- function(unit) time_units[sub("^ops/|/op$", "", unit)]
  factor <- fifelse(endsWith(from, "/op") & endsWith(to, "/op"), time(from) / time(to), NA_real_)
  factor <- fifelse(startsWith(from, "ops/") & startsWith(to, "ops/"), time(to) / time(from), factor)
  unname(fifelse(from == to, 1, factor))
}
