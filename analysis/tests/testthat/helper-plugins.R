# The plug-ins of the analysis, as the scripts load them.
report_figures <- function() plug_ins(file.path(analysis_dir, "figures"), "figure")
report_tables <- function() plug_ins(file.path(analysis_dir, "tables"), "table")
validity_properties <- function() plug_ins(file.path(analysis_dir, "validity"), "validity")

#' All that a plug-in's file defines.
inside_plugin <- function(plugins, name) environment(plugins[[name]])

#' A folder of plug-ins that import nothing.
#'
#' @param ... lines of files, by the files' names
made_up_plugins <- function(...) {
  folder <- tempfile("plugins")
  dir.create(folder)
  file.create(file.path(folder, "NAMESPACE"))
  files <- list(...)
  for (name in names(files)) writeLines(files[[name]], file.path(folder, name))
  folder
}
