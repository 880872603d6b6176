# lme4's Dyestuff: yield of 6 batches (columns) with 5 samples each (Davies and Goldsmith 1972).
dyestuff <- matrix(c(
  1545, 1440, 1440, 1520, 1580, 1540, 1555, 1490, 1560, 1495, 1595, 1550, 1605, 1510, 1560,
  1445, 1440, 1595, 1465, 1545, 1595, 1630, 1515, 1635, 1625, 1520, 1455, 1450, 1480, 1445
), 5)
