test_that("the table by which the full tier is planned is what a simulation gives", {
  planned <- fread(file.path(analysis_dir, "forks_needed.csv"))
  again <- forks_table(20000, 1)
  expect_identical(planned$forks, again$forks)
  expect_equal(planned$distance, again$distance, tolerance = 0.02)
})

test_that("fewer forks decide what is further from its limit", {
  expect_true(all(diff(forks_table(5000, 2)$distance) < 0))
})
