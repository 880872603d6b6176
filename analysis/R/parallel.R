# Work on several processor cores.

#' Cores that may be used: 1 where processes can't be forked.
usable_cores <- function() {
  if (.Platform$OS.type == "windows") return(1L)
  max(1L, parallel::detectCores(), na.rm = TRUE)
}

#' lapply over several cores. An error in one ends all with that error; the first in order if several have one.
in_parallel <- function(items, work, cores = usable_cores()) {
  if (cores < 2L || length(items) < 2L) return(lapply(items, work))
  caught <- function(item) tryCatch(work(item), error = function(problem) structure(list(problem), class = "caught"))
  done <- parallel::mclapply(items, caught, mc.cores = cores)
  for (result in done) if (inherits(result, "caught")) stop(result[[1]])
  lost <- vapply(done, is.null, TRUE)
  if (any(lost)) stop("a process ended without an answer; is there too little memory?")
  done
}
