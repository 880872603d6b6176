# The figure of pooled connections over the work of a request.
skip_if_not_installed("ggplot2")


levels <- c("none" = 0, "250 ms" = 250, "500 ms" = 500, "1 s" = 1000)
pooling_data <- list(
  published = data.table(study = character()), layout = list(figures = data.table(study = character())),
  experiments = list(weblog = list(
    id = "weblog",
    protocols = list("as-published" = list(), "steady-state" = list()),
    factors = list(
      work = lapply(levels, function(ms) list(workMs = ms)), "round-trip" = list("220 ms" = list(roundTripMs = 220))
    ),
    claims = list(P7a = list(
      each = list("work"), ratios = list(list(numerator = list("round-trip" = "220 ms", connection = "new")))
    ))
  )),
  contrasts = data.table(
    contrast = paste0("c", 1:4), experiment = "weblog", claim = "P7a", protocol = "steady-state", place = factor("here"),
    variant = paste0("work=", rev(names(levels))), ratio = rev(c(1.99, 1.46, 1.31, 1.17)),
    target_lower = 1.2, target_upper = 1.4
  )[, `:=`(lower = ratio * 0.99, upper = ratio * 1.01)]
)

test_that("every length of work has its row, in order, beside what a saved round trip gives by itself", {
  rows <- pooling_rows(pooling_data, "weblog")
  expect_identical(rows$work_ms, c(0, 250, 500, 1000))
  expect_equal(rows$expected, c(2, 690 / 470, 940 / 720, 1440 / 1220))
})

test_that("the work at which the ratio is as wanted lies between two rows, on the log scale", {
  expect_equal(crossing_ms(c(0, 100), c(2, 0.5), 1), 50)
  expect_equal(crossing_ms(c(0, 100, 200), c(4, 2, 1), 2), 100)
  expect_true(is.na(crossing_ms(c(0, 100), c(2, 1.5), 1.3)))
})

test_that("it is drawn with the place where 1.3 lies, and not where there is no work to vary", {
  figure <- figure_pooling(pooling_data)[[1]]
  at <- crossing_ms(c(500, 1000), c(1.31, 1.17), 1.3)
  expect_match(figure$caption, sprintf("The ratio is 1.3 at %.0f ms. A saved round trip alone gives it at 513 ms", at))
  expect_s3_class(ggplot2::ggplot_build(figure$plot)$plot, "ggplot")
  expect_rows_drawn(list(figure), pooling_data)
  pooling_data$experiments$weblog$claims$P7a$each <- list("size")
  expect_identical(figure_pooling(pooling_data), list())
})
