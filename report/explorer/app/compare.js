// Compare: the ratios of benchmarks that differ in one respect, as R estimated them.

const MOST_LINES = 40;
const estimated = (rows) => rows.filter(({ pair }) => pair.lower > 0).length;
const DIMENSIONS = { system: "operating system", jdk: "JDK", environment: "JDK and system", cpu_profile: "CPU class" };

// The level of a cell in what two cells differ in.
function levelOf(run, dimension, cell) {
  if (dimension === "provider") return providerName(run, cell.provider);
  if (["jdk", "system", "environment"].includes(dimension)) return cell.environment_label;
  if (dimension === "cpu_profile") return run.about.cpu_profiles[cell.cpu_profile] ?? cell.cpu_profile;
  return said(cell[dimension]);
}

// What tells the pairs apart, in words: what all of them share says nothing.
function pairWords(run, rows, dimension) {
  const parts = {
    operation: (cell) => operationOf(cell, [dimension]),
    provider: (cell) => providerName(run, cell.provider),
    protocol: (cell) => said(cell.protocol),
    cpu_profile: (cell) => profileName(run, cell.cpu_profile),
    environment: (cell) => cell.environment_label,
  };
  const same = ["jdk", "system"].includes(dimension) ? "environment" : dimension;
  const telling = Object.entries(parts).filter(
    ([name, part]) => name === "operation" || (name !== same && uniques(rows, ({ one }) => part(one)) > 1),
  );
  return ({ one }) => listed(telling.map(([, part]) => part(one)));
}

async function showCompare(place, controls, runs, counted) {
  const [run, other] = runs;
  if (other && address.read().keys.get("by") === "run") return showRuns(place, run, other, counted);
  const all = await run.pairs();
  if (!all.length) {
    counted("No two benchmarks of this run differ in one respect only.");
    return undefined;
  }
  const rows = pick(controls, all, [
    {
      name: "by",
      label: "compare by",
      value: ({ pair }) => pair.dimension,
      text: (name) => DIMENSIONS[name] ?? titleOf(name),
      prefer: (each, name) => estimated(each) + 1e6 * (name === "provider"),
    },
    {
      name: "pair",
      label: "A against B",
      value: ({ pair, one, two }) => [one, two].map((cell) => levelOf(run, pair.dimension, cell)).join(" against "),
      prefer: estimated,
    },
    {
      name: "experiment",
      label: "experiment",
      value: ({ one }) => one.experiment,
      text: (id) => run.experiment(id).title,
      prefer: estimated,
    },
    { name: "clock", label: "clock", value: ({ one }) => one.measure, prefer: (_, name) => name === "wall" },
  ]);
  const [{ pair: first, one, two }] = rows;
  const { dimension } = first;
  const [a, b] = [one, two].map((cell) => levelOf(run, dimension, cell));
  const words = pairWords(run, rows, dimension);
  const made = d3.sort(
    rows.map((row) => ({ ...row.pair, id: row.pair.pair_id, one: row.one, two: row.two, setting: words(row) })),
    (row) => row.ratio,
  );
  const drawn = made.filter((row) => row.lower > 0);
  counted(`${plural(made.length, "pair")}: ${a} (A) against ${b} (B).`);
  if (drawn.length)
    place.append(
      dotPlot(
        drawn.slice(0, MOST_LINES).map((row) => ({
          key: row.id,
          label: row.setting,
          value: row.ratio,
          lower: row.lower,
          upper: row.upper,
          colour: "var(--c0)",
          hollow: unproven(row),
          open: row.one.id,
        })),
        {
          label: `Time of ${a} over that of ${b}, with 95 % intervals`,
          caption:
            (drawn.length > MOST_LINES ? `The ${MOST_LINES} lowest of ${drawn.length} ratios. ` : "") +
            (drawn.length < made.length
              ? `${made.length - drawn.length} without an interval are in the table only. `
              : "") +
            "Left of 1: A takes less time. Open: warm-up unproven.",
          axis: "A / B, logarithmic",
          title: digits,
          one: 1,
        },
      ),
    );
  await grid(
    place,
    made.map((row) => ({ ...row, a_ns: row.one.mean_ns, b_ns: row.two.mean_ns })),
    [
      { name: "setting", title: "benchmark" },
      { name: "ratio", title: "A / B" },
      ...named(["lower", "upper"]),
      { name: "a_ns", title: "A", cell: (row) => opens(row.one.id, number(row.a_ns, time)) },
      { name: "b_ns", title: "B", cell: (row) => opens(row.two.id, number(row.b_ns, time)) },
      ...named(["forks_min", "method", "warm_up_state"]),
      { name: "pair_id", title: "row of pairs.csv" },
    ],
    "Pairs",
    (left) => counted(`${left} of ${made.length} pairs: ${a} (A) against ${b} (B).`),
  );
  return undefined;
}

// Two runs beside each other: both means with their intervals. Ratios of two runs are estimated by `make compare-runs`.
async function showRuns(place, run, other, counted) {
  const names = ["experiment", "workload", "protocol", "provider", "cpu_profile", "environment", "measure", "cell"];
  const theirs = d3.index(
    d3.groups(await other.cells(), (cell) => keyOf(cell, names)).map(([key, [cell]]) => ({ key, cell })),
    (each) => each.key,
  );
  const rows = (await run.cells())
    .map((cell) => ({ cell, again: theirs.get(keyOf(cell, names))?.cell }))
    .filter(({ cell, again }) => again && cell.measure === "wall");
  counted(
    `${rows.length} benchmarks are in both runs: this run (A) and ${other.name} (B). Ratios with intervals: ` +
      "jca-rerun compare-runs report.html other.html.",
  );
  if (!rows.length) return;
  const shown = rows.slice(0, MOST_LINES);
  const part = shown.length < rows.length ? `The first ${shown.length} of ${rows.length}. ` : "";
  const label = (cell) => [operationOf(cell), providerName(run, cell.provider), cell.environment_label].join(", ");
  const entry = (cell, key, style) => ({ key, label: label(cell), ...meanOf(cell), ...style });
  const styles = [
    { colour: "var(--c0)", symbol: d3.symbolCircle },
    { colour: "var(--c1)", symbol: d3.symbolSquare },
  ];
  place.append(
    legend([
      ["A: this run", styles[0]],
      [`B: ${other.name}`, styles[1]],
    ]),
    dotPlot(
      shown.flatMap(({ cell, again }) => [
        entry(cell, cell.id, styles[0]),
        entry({ ...again, environment_label: cell.environment_label }, cell.id, styles[1]),
      ]),
      {
        label: "Times of both runs with 95 % intervals",
        caption: `${part}Mean over JVM runs with its 95 % interval.`,
        axis: "wall-clock time per operation, logarithmic",
        format: shortTime,
        title: time,
      },
    ),
  );
  await grid(
    place,
    rows.map(({ cell, again }) => ({
      id: cell.id,
      setting: label(cell),
      ...{ a_ns: cell.mean_ns, a_lower_ns: cell.lower_ns, a_upper_ns: cell.upper_ns },
      ...{ b_ns: again.mean_ns, b_lower_ns: again.lower_ns, b_upper_ns: again.upper_ns },
    })),
    [
      { name: "setting", title: "benchmark", cell: (row) => opens(row.id, row.setting) },
      ...["a", "b"].flatMap((side) => [
        { name: `${side}_ns`, title: side.toUpperCase() },
        { name: `${side}_lower_ns`, title: `${side.toUpperCase()}: 95 % from` },
        { name: `${side}_upper_ns`, title: `${side.toUpperCase()}: 95 % to` },
      ]),
    ],
    "Benchmarks of both runs",
    () => {},
  );
}
