# What environments are made of: system, platform and JDK, and what must be said beside results from them.

#' The parts of every environment, from definitions.json.
#'
#' An environment whose system or JDK the definitions do not know (a registry image, the host, somebody else's machine)
#' is a system and a JDK of its own, so that it is held equal to no other.
#'
#' @param definitions of definitions.json; `measured` ids of environments that must have a row
#' @return data.table: `environment`, `system`, `platform`, `jdk` (ids), `system_label`, `jdk_label`, `caveat`
environment_parts <- function(definitions, measured = character()) {
  entries <- definitions$environments
  ids <- vapply(entries, function(entry) as.character(entry$id), "")
  strangers <- lapply(setdiff(measured, ids), function(id) list(id = id))
  rows <- lapply(c(entries, strangers), function(entry) {
    known <- function(value) if (is.null(value) || identical(value, "image")) entry$id else as.character(value)
    list(
      environment = entry$id, system = known(entry$system), platform = entry$platform %||% "",
      jdk = known(entry$jdk_id), system_label = if (is.null(entry$system)) entry$id else entry$os %||% entry$system,
      jdk_label = if (is.null(entry$jdk_id)) entry$id else entry$jdk %||% entry$jdk_id, caveat = entry$caveat %||% ""
    )
  })
  blank <- data.table(
    environment = character(), system = character(), platform = character(), jdk = character(),
    system_label = character(), jdk_label = character(), caveat = character()
  )
  rbindlist(c(list(blank), rows), use.names = TRUE)
}

#' Caveats of environments, each once, as one text.
caveats_of <- function(environments, ids) {
  texts <- environments$caveat[environments$environment %in% ids]
  paste(unique(texts[nzchar(texts)]), collapse = "; ")
}

#' Labels of systems and JDKs; other levels in words.
part_words <- function(environments, factor, levels) {
  if (!factor %in% c("system", "jdk")) return(level_words(factor, levels))
  labels <- environments[[paste0(factor, "_label")]][match(levels, environments[[factor]])]
  fcoalesce(labels, levels)
}

#' A level as it reads in a sentence; a bare number needs its factor's name.
level_words <- function(factor, level) {
  if (length(level) == 0) return(character())
  bare <- grepl("^[0-9.]+$", level)
  fifelse(bare, paste(factor, level), level)
}

#' The CPU profiles that were measured: `native` first, then in the order of the definitions. Names are ids.
measured_profiles <- function(seen, defined) {
  seen <- setdiff(unique(seen), c("", NA))
  known <- names(defined)
  ordered <- seen[order(seen != "native", match(seen, known, nomatch = length(known) + 1L), seen, method = "radix")]
  setNames(vapply(ordered, function(id) as.character(defined[[id]]$label %||% ""), ""), ordered)
}
