// Two cells side by side: their ratio as the tables have it, or, where they have none, by the same formula from the
// forks.

const sideKey = (row, side, protocol) =>
  [
    row.experiment,
    row.machine_id,
    row.measure,
    row[`${side}_environment`],
    row[`${side}_image_id`],
    protocol,
    row[`${side}_cell`],
  ].join("\n");

// Every ratio of two cells in the tables by its two sides: { row, source }.
function knownRatios(run) {
  if (!run.known) {
    run.known = new Map();
    const keep = (row, id, source, protocols) => {
      if (row.log_ratio === null || !row.denominator_cell || Math.abs(Math.exp(row.log_ratio) / row.ratio - 1) > 1e-9)
        return;
      const key = [sideKey(row, "numerator", protocols[0]), sideKey(row, "denominator", protocols[1])].join("\n/\n");
      if (!run.known.has(key)) run.known.set(key, { row, source: `${source} ${id}` });
    };
    run.contrasts.forEach((row) => keep(row, row.contrast, "contrasts.csv", [row.protocol, row.protocol]));
    run.ratios.forEach((row) =>
      keep(row, row.ratio_id, "ratios.csv", [row.numerator_protocol, row.denominator_protocol]),
    );
  }
  return run.known;
}
const cellKey = (cell) =>
  [cell.experiment, cell.machine_id, cell.measure, cell.environment, cell.image_id, cell.protocol, cell.cell].join(
    "\n",
  );

// { ratio, lower, upper, method, source } of cell a of one run over cell b of another or the same.
async function ratioOf(runA, a, runB, b) {
  const known = runA === runB && knownRatios(runA).get(`${cellKey(a)}\n/\n${cellKey(b)}`);
  if (known) {
    const { ratio, lower, upper, method } = known.row;
    return { ratio, lower, upper, method, source: known.source };
  }
  const between = a.environment !== b.environment || a.image_id !== b.image_id;
  const sides = await Promise.all([runA.valuesOf(a, a.measure, between), runB.valuesOf(b, b.measure, between)]);
  // Rounds of two runs were not measured side by side.
  const found = estimateRatio(sides[0], sides[1], runA.confidence, runA === runB);
  return found
    ? { ...found, source: "computed here" }
    : { ratio: null, lower: null, upper: null, method: "", source: "no ratio" };
}

// What can be compared, and by what a cell of one side finds its like: the columns that name a cell, but for what
// differs.
const IDENTITY = [
  "experiment",
  "machine_id",
  "workload",
  "protocol",
  "provider",
  "cpu_profile",
  "environment",
  "image_id",
  "measure",
];
const PLACE = ["environment", "image_id"];
const DIFFERS = {
  environment: { gone: PLACE, also: [] },
  system: { gone: PLACE, also: ["jdk"] },
  jdk: { gone: PLACE, also: ["system"] },
  run: { gone: ["image_id", "machine_id"], also: [] },
};
function likeness(by, factors) {
  const { gone, also } = DIFFERS[by] || { gone: [by], also: [] };
  const names = [...IDENTITY, ...factors, ...also].filter((name) => !gone.includes(name) && name !== by);
  return (cell) => names.map((name) => cell[name] ?? "").join("\n");
}

// Pairs of like cells, [a, b].
function likeCells(left, right, by) {
  const factors = [...new Set([...left, ...right].flatMap(factorsOf))];
  const like = likeness(by, factors);
  const found = d3.group(right, like);
  return left.flatMap((a) => (found.get(like(a)) || []).map((b) => [a, b]));
}
