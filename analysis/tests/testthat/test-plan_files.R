set.seed(12)
raw <- tempfile("raw")
place <- "kofahi2013/debian-12-temurin-17"
cells <- kofahi_cells(c(DES = 3e6, AES = 2e5))
for (number in 1:4) write_round(raw, "kofahi2013", "debian-12-temurin-17", number, cells)
# Rounds as a two-stage tier names them: three of stage one, one of stage two, of one cell, with shorter forks.
renamed <- function(old, new, stage, sum) {
  folder <- file.path(raw, place, new)
  file.rename(file.path(raw, place, old), folder)
  unlink(file.path(raw, place, paste0(old, ".done")))
  record <- jsonlite::fromJSON(file.path(folder, "round.json"))
  record[c("round", "stage", "plan_sha256")] <- list(new, stage, sum)
  writeLines(jsonlite::toJSON(record, auto_unbox = TRUE, digits = NA), file.path(folder, "round.json"))
}
for (number in 1:3) renamed(sprintf("r%03d", number), sprintf("standard-0a-%02d", number), 1, "")
plan <- file.path(raw, place, "standard-0a.stage-2.csv")
write_table(data.table(
  cell = cells$cell, forks = c(1, 0), warmup_iterations = c(4, NA), iterations = c(9, NA), first_forks = c(3, NA),
  forks_wanted = c(4, NA), most_forks = c(9, NA), wanted_half_width_pct = c(1, NA), s0_log = c(0.01, NA),
  forks_no_steady = c(0, NA), reason = c("more forks", "")
), plan)
renamed("r004", "standard-0a-04", 2, sha256_of(plan))
rounds <- find_rounds(raw)

with_plan_lines <- function(change, work) {
  lines <- readLines(plan)
  on.exit(writeLines(lines, plan))
  writeLines(change(lines), plan)
  work()
}

test_that("a planned cell is measured on its plan's window in both stages, others on their own", {
  tables <- tidy_rounds(raw, rounds)
  own <- tables$forks[cell == cells$cell[1]]
  expect_identical(own[order(round), stage], c(1L, 1L, 1L, 2L))
  expect_true(all(own$planned))
  expect_true(all(own$steady_from == 5 & own$measured_iterations == 5))
  other <- tables$forks[cell == cells$cell[2]]
  expect_false(any(other$planned))
  expect_true(all(other$measured_iterations == 9))
  keys <- c("round", "fork")
  marked <- tables$iterations[own[, keys, with = FALSE], on = keys][measured == TRUE]
  expect_identical(sort(unique(marked$iteration)), c(5, 6, 7, 8, 9))
  expect_identical(tables$plans[, paste(plan, stage, cell)], paste("standard-0a 2", cells$cell[1]))
})

test_that("without a plan file rounds of stage one are as ever", {
  file.rename(plan, aside <- tempfile())
  on.exit(file.rename(aside, plan))
  tables <- tidy_rounds(raw, rounds[1:3])
  expect_false(any(tables$forks$planned))
  expect_identical(nrow(tables$plans), 0L)
  expect_named(tables$plans, names(no_plans()))
})

test_that("a plan that is gone or altered though rounds rest on it is refused", {
  with_plan_lines(function(lines) sub("more forks", "cap", lines), function() {
    expect_refusal(tidy_rounds(raw, rounds), "standard-0a.stage-2.csv", "was altered", "standard-0a-04")
  })
  file.rename(plan, aside <- tempfile())
  on.exit(file.rename(aside, plan))
  expect_refusal(tidy_rounds(raw, rounds), "standard-0a.stage-2.csv", "is missing", "standard-0a-04")
})

test_that("a plan that lacks a column is refused", {
  cut <- function(lines) sub(",reason", "", sub(",(more forks)?$", "", lines))
  with_plan_lines(cut, function() expect_refusal(tidy_rounds(raw, rounds[1:3]), "lacks column reason"))
})

test_that("two plans in one environment are refused", {
  file.copy(plan, other <- sub("-0a", "-0b", plan))
  folder <- file.path(raw, place, "standard-0b-01")
  dir.create(folder)
  file.copy(list.files(file.path(raw, place, "standard-0a-01"), full.names = TRUE), folder, recursive = TRUE)
  on.exit(unlink(c(other, folder, paste0(folder, ".done")), recursive = TRUE))
  record <- file.path(folder, "round.json")
  writeLines(sub("standard-0a-01", "standard-0b-01", readLines(record)), record)
  expect_refusal(tidy_rounds(raw, c(rounds, sub("0a-01", "0b-01", rounds[1]))), "has 2 plans")
})

test_that("forks that a cell without a plan got later are of its first stage, which a plan's own forks are not", {
  rounds <- data.table(experiment = "e", environment = "v", round = c("r1", "r2", "r3"), stage = 1:3, looks = 1L)
  forks <- CJ(cell = c("planned", "remeasured"), round = rounds$round, experiment = "e", environment = "v", fork = 1L)
  iterations <- forks[, .(experiment, environment, round, fork, cell, planned = cell == "planned")]
  plans <- rbind(no_plans(), data.table(experiment = "e", environment = "v", cell = "planned", stage = 3), fill = TRUE)
  found <- with_plan(forks, rounds, iterations, plans, c("experiment", "environment", "round", "fork", "cell"))
  expect_identical(found$stage, c(1L, 1L, 2L, 1L, 1L, 1L))
})

test_that("the command writes what wanted half-widths demand, as the same rounds make it", {
  own <- tempfile("raw")
  for (number in 1:3) write_round(own, "kofahi2013", "debian-12-temurin-17", number, cells)
  names <- c("rounds", "definitions", "pairs", "demands", "states")
  files <- setNames(tempfile(names), names)
  writeLines(find_rounds(own), files["rounds"])
  writeLines("experiment", files["pairs"])
  wanting <- list(
    id = "kofahi2013", tier = list(max_rounds = 12), protocols = list("steady-state" = list(half_width = 0.02))
  )
  definitions <- list(settings = list(goal = "intervals", alpha = 0.05), experiments = list(wanting))
  writeLines(jsonlite::toJSON(definitions, auto_unbox = TRUE, digits = NA), files["definitions"])
  command_plan_stage(c("--raw", own, "--most", "40", rbind(paste0("--", names), files)))
  tables <- tidy_rounds(own, find_rounds(own))
  found <- read_csv_strictly(files["demands"])
  expect_equal(found$s0_log, fork_plan(tables$forks, tables$iterations, c("steady-state" = 0.02), 12)$s0_log)
  expect_true(all(found$forks %in% 0:9))
})
