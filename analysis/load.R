# Loads every function of the analysis: the packages, then R/*.R, then forms/*.R.
# In: the variable `analysis_dir`, this directory. Out: functions in the global environment.

for (package in c("data.table", "jsonlite")) {
  if (!suppressPackageStartupMessages(require(package, character.only = TRUE, quietly = TRUE))) {
    mend <- "install it, or run in the analysis image"
    message("R: package ", package, " is missing; expected data.table 1.14 or newer and jsonlite; ", mend)
    quit(status = 2, save = "no")
  }
}
for (folder in c("R", "forms")) {
  for (file in sort(list.files(file.path(analysis_dir, folder), "\\.R$", full.names = TRUE), method = "radix")) {
    source(file, encoding = "UTF-8")
  }
}
