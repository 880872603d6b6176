# Loads to one value per fork and measure: what client and server did in spans of the clock, as the fork's own sums.

#' What `load.<name>` observations give: `throughput` (operations per second), `client-jvm-cpu` and `server-jvm-cpu`
#' (CPU time of a side's whole JVM, ns per operation), `client-utilisation` and `server-utilisation` (the same over the
#' clock: CPUs' worth, the share of the CPU where a side has one), `busier-utilisation` (the greater of the two),
#' `both-utilisation` (their sum), `server-per-client` (their ratio), `server-jit-share` (time in which the server's
#' compilers worked, over the clock) and `done-before` (operations of the fork before the first that counts).
#'
#' Sums over the fork, since the system counts a JVM's CPU time in ticks that are long against a short iteration, and
#' iterations of a cold JVM take unlike times. A utilisation is exactly a side's CPU time an operation times the
#' operations a second.
#'
#' @param kept observations of the iterations that count: `measure`, `value`
#' @return data.table: `fork_key`, `measure`, `value`
load_values <- function(kept) {
  rows <- kept[startsWith(measure, "load.")]
  if (nrow(rows) == 0) return(no_values())
  sums <- rows[, .(total = sum(value), first = value[which.min(iteration)]), by = c(fork_key, "measure")]
  forks <- unique(sums[, fork_key, with = FALSE])
  of <- function(name, column = "total") sums[measure == sprintf("load.%s", name)][forks, on = fork_key][[column]]
  seconds <- of("span") / 1e9
  client <- of("client") / of("span")
  server <- of("server") / of("span")
  done <- of("done")
  values <- list(
    throughput = done / seconds, "client-jvm-cpu" = of("client") / done, "server-jvm-cpu" = of("server") / done,
    "client-utilisation" = client, "server-utilisation" = server, "busier-utilisation" = pmax(client, server),
    "both-utilisation" = client + server, "server-per-client" = server / client,
    "server-jit-share" = of("server-jit") / of("span"), "done-before" = of("before", "first")
  )
  long <- rbindlist(lapply(names(values), function(name) data.table(forks, measure = name, value = values[[name]])))
  long[is.finite(value)]
}
