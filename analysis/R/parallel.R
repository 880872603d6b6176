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

# Draws that are the same every time.

#' The value of an expression that draws from R's generator, which is left as it was.
with_seed <- function(seed, value) {
  before <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(if (is.null(before)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", before, globalenv()))
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  value
}
