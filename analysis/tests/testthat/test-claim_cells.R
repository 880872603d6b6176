cells <- data.table(
  workload = c("encrypt", "decrypt", "key"), provider = "sunjce", factor.bits = c("1024", "2048", NA),
  cpu_profile = "native"
)

test_that("a filter takes scalars and lists, factors and fixed names; none keeps all", {
  expect_identical(matching(cells, NULL), c(TRUE, TRUE, TRUE))
  expect_identical(matching(cells, list(workload = list("encrypt", "key"))), c(TRUE, FALSE, TRUE))
  expect_identical(matching(cells, list(bits = 1024L)), c(TRUE, FALSE, FALSE))
  expect_identical(matching(cells, list(workload = "key", bits = "1024")), c(FALSE, FALSE, FALSE))
  expect_identical(matching(cells, list(shape = "round")), c(FALSE, FALSE, FALSE))
})

test_that("variants are named after what each lists; a cell without the factor borrows the other's", {
  expect_identical(variant_labels(list("bits"), cells), c("bits=1024", "bits=2048", ""))
  expect_identical(variant_labels(list("bits"), cells[3], cells[1]), "bits=1024")
  expect_identical(variant_labels(list("provider", "bits"), cells)[1], "provider=sunjce, bits=1024")
  expect_identical(variant_labels(NULL, cells), c("", "", ""))
})

test_that("rows of a variant include those the factor doesn't apply to", {
  expect_identical(in_variant_rows(cells, list("bits"), "bits=1024"), c(TRUE, FALSE, TRUE))
  expect_identical(in_variant_rows(cells, NULL, ""), c(TRUE, TRUE, TRUE))
})

test_that("bare numbers get their factor's name in words", {
  expect_identical(
    cell_words(cells, c("workload", "factor.bits", "provider")),
    c("encrypt, bits 1024, sunjce", "decrypt, bits 2048, sunjce", "key, sunjce")
  )
})

test_that("a variant names what the cells have, without gaps for what they lack", {
  cells <- data.table(factor.a = c("1", NA, "3"), factor.b = NA_character_, factor.c = c("x", "y", NA))
  expect_identical(variant_labels(c("a", "b", "c"), cells), c("a=1, c=x", "c=y", "a=3"))
})
