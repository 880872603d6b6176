// Ratio of two cells from their forks, as analysis/R/pair_ratios.R estimates it: Welch on the logs, or paired by
// rounds from eight common rounds of the first stage on; of a run that is planned in several stages, these combined. A
// test holds it against R's tables.
//
// A fork is { value, stage, looks, block }: time or measure, its stage, how often its run's plan looks at the data, and
// its round (of two environments the round's number).

const PAIRED_FROM = 8;
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
function variance(values) {
  if (values.length < 2) return NaN;
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

// Number, mean and variance of the logs; the variance, and the number that it is of, are stage one's where there is
// a second.
function moments(forks) {
  const logs = forks.map((fork) => Math.log(fork.value));
  const first = forks.some((fork) => fork.stage === 2) ? logs.filter((_, i) => forks[i].stage !== 2) : logs;
  return { n: logs.length, mean: mean(logs), variance: variance(first), first: first.length };
}

function interval(log, se, df, confidence) {
  const half = quantile(confidence, df) * se;
  return { ratio: Math.exp(log), lower: Math.exp(log - half), upper: Math.exp(log + half), log, se, df };
}

function welch(one, two, confidence) {
  const a = one.variance / one.n;
  const b = two.variance / two.n;
  const se = Math.sqrt(a + b);
  let df = se > 0 ? (a + b) ** 2 / (a ** 2 / (one.first - 1) + b ** 2 / (two.first - 1)) : one.first + two.first - 2;
  if (one.n > one.first || two.n > two.first) df = Math.min(one.first, two.first) - 1;
  return { ...interval(one.mean - two.mean, se, df, confidence), method: "Welch" };
}

// Mean of the logs and the latest stage in each block.
function blocksOf(forks) {
  const groups = d3.group(forks, (fork) => fork.block);
  return new Map(
    [...groups].map(([block, members]) => [
      block,
      { log: mean(members.map((fork) => Math.log(fork.value))), stage: Math.max(...members.map((fork) => fork.stage)) },
    ]),
  );
}

function paired(one, two, confidence) {
  const [left, right] = [blocksOf(one), blocksOf(two)];
  const met = [...left.keys()].filter((block) => right.has(block)).map((block) => [left.get(block), right.get(block)]);
  const first = met.filter(([a, b]) => a.stage !== 2 && b.stage !== 2);
  if (first.length < PAIRED_FROM) return null;
  const vars = [0, 1].map((side) => variance(first.map((pair) => pair[side].log)));
  const covariance = (vars[0] + vars[1] - variance(first.map(([a, b]) => a.log - b.log))) / 2;
  const [n1, n2] = [left.size, right.size];
  const squared = Math.max(vars[0] / n1 + vars[1] / n2 - (2 * covariance * met.length) / (n1 * n2), 0);
  const difference =
    mean([...left.values()].map((each) => each.log)) - mean([...right.values()].map((each) => each.log));
  return { ...interval(difference, Math.sqrt(squared), Math.max(first.length - 1, 1), confidence), method: "paired" };
}

// Of data that are looked at once; Stein's second stage may be among them.
function singleRatio(one, two, confidence, mayPair) {
  const sides = [moments(one), moments(two)];
  if (Math.min(sides[0].n, sides[1].n) < 2) {
    return { ratio: Math.exp(sides[0].mean - sides[1].mean), lower: null, upper: null, method: "" };
  }
  const found = (mayPair && paired(one, two, confidence)) || welch(sides[0], sides[1], confidence);
  return Number.isFinite(found.lower) ? found : { ...found, lower: null, upper: null, method: "" };
}

// Each stage by its own forks, and what has a test combined.
function stagedRatio(one, two, looks, confidence, mayPair) {
  const alone = (forks) => forks.map((fork) => ({ ...fork, stage: 1 }));
  const stages = d3.sort(d3.union(one.map((fork) => fork.stage))).flatMap((stage) => {
    const [left, right] = [one, two].map((forks) => alone(forks.filter((fork) => fork.stage === stage)));
    if (Math.min(left.length, right.length) < LEAST_STAGE_FORKS) return [];
    const found = singleRatio(left, right, confidence, mayPair);
    return found.lower !== null && found.se > 0 ? [found] : [];
  });
  if (stages.length) return combineStages(stages, looks, confidence);
  return { ...singleRatio(alone(one), alone(two), confidence, mayPair), lower: null, upper: null, method: "" };
}

// { ratio, lower, upper, method }; without an interval where a side has one fork, or too few in every stage; null where
// a value has no logarithm.
function estimateRatio(one, two, confidence, mayPair = true) {
  if (!one.length || !two.length || [...one, ...two].some((fork) => !(fork.value > 0))) return null;
  const looks = d3.max([...one, ...two], (fork) => fork.looks);
  return looks > 1
    ? stagedRatio(one, two, looks, confidence, mayPair)
    : singleRatio(one, two, confidence, mayPair);
}
