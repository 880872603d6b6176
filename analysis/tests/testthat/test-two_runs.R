set.seed(12)
a <- made_up_forks(four_ciphers(), 6, cv = 0.02)
b <- made_up_forks(four_ciphers(), 5, cv = 0.02)
b[cell == "encrypt.1", wall_ns_per_op := wall_ns_per_op * 1.3]

test_that("each cell's ratio is Welch's on the logs of both runs' forks", {
  found <- two_runs(a, b)
  expect_identical(found$cell, paste0("encrypt.", 1:4))
  for (name in found$cell) {
    welch <- t.test(log(b[cell == name, wall_ns_per_op]), log(a[cell == name, wall_ns_per_op]))
    row <- found[cell == name]
    expect_equal(log(c(row$lower, row$upper)), as.numeric(welch$conf.int))
    expect_equal(log(row$ratio), unname(diff(rev(welch$estimate))))
  }
  each <- vapply(found$cell, function(name) {
    t.test(log(b[cell == name, wall_ns_per_op]), log(a[cell == name, wall_ns_per_op]))$p.value
  }, 0)
  expect_equal(found$p_holm, unname(p.adjust(each, "holm")))
  expect_true(all(found$warm_up_state) && !any(found$elsewhere))
})

test_that("rounds of two runs are no pairs, however many they have in common", {
  many <- lapply(1:2, function(run) made_up_forks(four_ciphers(), 12, cv = 0.02))
  found <- two_runs(many[[1]], many[[2]])
  logs <- lapply(many, function(run) log(run[cell == "encrypt.1", wall_ns_per_op]))
  expect_equal(log(found$lower[1]), t.test(logs[[2]], logs[[1]])$conf.int[1])
})

test_that("what differs is said, the largest first, and what does not is counted", {
  c <- copy(b)[cell == "encrypt.2", wall_ns_per_op := wall_ns_per_op * 2][cell != "encrypt.4"]
  c[cell == "encrypt.2", warm_up_state := "unproven"]
  words <- two_runs_words(two_runs(a, c), c(1, 0))
  expect_match(words[1], "^3 cells are in both runs; 1 only in A, 0 only in B")
  expect_match(words[2], "^2 differ, at a level of 0.05")
  expect_match(words[3], "^  encrypt.2 in debian-12 \\(kofahi2013\\): B takes 2[.0-9]* times A's time")
  expect_match(words[3], "; unproven$")
  expect_match(words[4], "^  encrypt.1 .* B takes 1.3[0-9]* times A's time \\[[0-9.]+, [0-9.]+\\]$")
  expect_match(words[5], "^1 are statistically indistinguishable")
})

test_that("another image or machine is said, and images are not pooled", {
  elsewhere <- rbind(b, copy(b)[, image_id := "sha256:bb"])
  found <- two_runs(a, elsewhere)
  expect_identical(nrow(found), 8L)
  expect_identical(sum(found$elsewhere), 4L)
  expect_match(two_runs_words(found, c(0, 0))[2], "^4 of them have another image or another machine")
})

test_that("one fork has a ratio and no verdict, and nothing in common is said", {
  found <- two_runs(a, b[number == 1])
  expect_true(all(is.na(found$p_holm)) && all(found$ratio > 0))
  expect_match(tail(two_runs_words(found, c(0, 0)), 1), "^4 have fewer than 2 forks in a run")
  none <- two_runs(a, copy(b)[, cell := "other"])
  expect_match(two_runs_words(none, c(4, 1))[1], "^0 cells are in both runs; 4 only in A, 1 only in B")
})
