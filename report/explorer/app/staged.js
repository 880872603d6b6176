// Ratios of a run whose plan looks at its data several times, as analysis/R/interim_analyses.R estimates them: the
// forks of each stage alone make a t statistic, its normal quantiles are combined with equal weights (combination.R),
// and the interval is the repeated one at Pocock's constant for all looks (pocock.R). A test holds it against R's
// tables.

const LEAST_STAGE_FORKS = 3;

const normalDensity = (x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

// P(Z > x) of a normal variable: a series near 0, a continued fraction beyond.
function normalTail(x) {
  if (x < 0) return 1 - normalTail(-x);
  if (x > 3) {
    let fraction = x;
    for (let n = 100; n > 0; n -= 1) fraction = x + n / fraction;
    return normalDensity(x) / fraction;
  }
  let term = x;
  let sum = x;
  for (let n = 3; term > 1e-17 * sum; n += 2) {
    term *= (x * x) / n;
    sum += term;
  }
  return 0.5 - normalDensity(x) * sum;
}

// The root of a function that falls from above 0 at `low` to below 0 at `high`.
function rootOf(falling, low, high) {
  for (let i = 0; i < 100 && high - low > 1e-13 * Math.max(1, Math.abs(high)); i += 1) {
    const middle = (low + high) / 2;
    if (falling(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

// Probability that under the null the combined |Z| reaches `critical` at one of some looks: the density of the sum is
// carried from look to look by Simpson's rule (Armitage, McPherson and Rowe 1969).
function crossingProbability(critical, looks) {
  const steps = 400;
  const weights = d3.range(steps + 1).map((i) => (i % steps === 0 ? 1 : i % 2 ? 4 : 2) / 3);
  const grid = (look) => weights.map((_, i) => ((2 * i) / steps - 1) * critical * Math.sqrt(look));
  let crossed = 2 * normalTail(critical);
  let sums = grid(1);
  let density = sums.map(normalDensity);
  for (let look = 2; look <= looks; look += 1) {
    const mass = density.map((each, i) => each * weights[i] * (sums[1] - sums[0]));
    const bound = critical * Math.sqrt(look);
    crossed += d3.sum(mass, (each, i) => each * (normalTail(bound - sums[i]) + normalTail(bound + sums[i])));
    const following = grid(look);
    density = following.map((to) => d3.sum(mass, (each, i) => each * normalDensity(to - sums[i])));
    sums = following;
  }
  return crossed;
}

const pocockConstants = new Map();
function pocockConstant(looks, level) {
  const name = `${looks} at ${level}`;
  if (!pocockConstants.has(name))
    pocockConstants.set(
      name,
      rootOf((critical) => crossingProbability(critical, looks) - level, 0.5, 8),
    );
  return pocockConstants.get(name);
}

// Normal quantile of a stage's one-sided t test that its log ratio is above a limit.
function stageZ({ log, se, df }, limit) {
  const t = (log - limit) / se;
  const tail = tails(Math.abs(t), df) / 2;
  return Math.sign(t) * rootOf((z) => Math.log(normalTail(z) / tail), 0, 38);
}

// The limit at which the combined Z of stages has a value; Z falls as the limit rises.
function combinedLimit(stages, value) {
  const part = value / Math.sqrt(stages.length);
  const own = stages.map(({ log, se, df }) => {
    const t = part === 0 ? 0 : Math.sign(part) * quantile(1 - 2 * normalTail(Math.abs(part)), df);
    return log - se * t;
  });
  const combined = (limit) => d3.sum(stages, (stage) => stageZ(stage, limit)) / Math.sqrt(stages.length);
  return rootOf((limit) => combined(limit) - value, d3.min(own), d3.max(own));
}

// { ratio, lower, upper, method } of stages with a test each: { log, se, df, method }, of which at least one.
function combineStages(stages, looks, confidence) {
  const critical = pocockConstant(looks, 1 - confidence);
  const at = (value) => Math.exp(combinedLimit(stages, value));
  return { ratio: at(0), lower: at(critical), upper: at(-critical), method: stages.at(-1).method };
}
