// Data: the run's tables, a row for each verdict, benchmark, JVM run or pause.

const named = (names) => names.map((name) => ({ name }));
const linked = (title) => ({ name: "name", title, cell: (row) => opens(row.id, row.name) });
const described = (run, row) => ({
  ...row,
  setting: operationOf(row),
  provider: providerName(run, row.provider),
  environment: row.environment_label,
});
const VERDICT = { name: "verdict", cell: (row) => chip(row.verdict) };
const CELL_COLUMNS = [
  linked("operation"),
  ...named(["provider", "environment", "protocol", "mean_ns", "lower_ns", "upper_ns", "half_width_pct", "forks"]),
  ...named(["warm_up_state", "cpu_profile", "experiment"]),
];
const benchmarks = (measure) => async (run) =>
  (await run.cells())
    .filter((cell) => cell.measure === measure)
    .map((cell) => ({ ...described(run, cell), name: operationOf(cell) }));

const DATA = {
  claims: {
    title: "claims",
    rows: async (run) =>
      (await run.rowsOf("main", "claim_summary")).map((row) => ({ ...row, id: idOfClaim(row), name: row.claim })),
    columns: [
      linked("claim"),
      ...named(["study", "text", "published", "protocol"]),
      VERDICT,
      { name: "estimate", format: digits },
      ...named(["lower", "upper", "direction", "size", "variants", "cause", "reason"]),
    ],
  },
  departures: {
    title: "departures from the studies",
    rows: async (run) =>
      (await run.rowsOf("main", "departures")).map((row, position) => ({ ...row, id: `departure ${position}` })),
    columns: named(["study", "experiment", "then", "here", "effect"]),
  },
  verdicts: {
    title: "verdicts",
    rows: async (run) =>
      run.verdicts.map((row) => ({ ...row, name: `${row.claim} (${row.id})`, environment: row.environment_label })),
    columns: [
      linked("claim"),
      VERDICT,
      { name: "estimate", format: digits },
      ...named(["lower", "upper", "protocol", "environment", "variant", "cpu_profile", "forks_min", "cause", "reason"]),
    ],
  },
  cells: { title: "benchmarks, wall-clock time", rows: benchmarks("wall"), columns: CELL_COLUMNS },
  cpu: { title: "benchmarks, CPU time", rows: benchmarks("cpu"), columns: CELL_COLUMNS },
  forks: {
    title: "JVM runs",
    rows: async (run) =>
      (await run.forks()).map((fork) => ({ ...described(run, fork), name: `${fork.number}/${fork.fork}` })),
    columns: [
      linked("round/number"),
      ...named(["setting", "provider", "environment", "protocol", "wall_ns_per_op", "cpu_ns_per_op", "warm_up_state"]),
      ...named(["valid", "invalid_cause", "measured_iterations", "pauses", "pause_ms", "experiment"]),
    ],
  },
  pauses: {
    title: "pauses of JVMs",
    rows: async (run) => {
      const [pauses, forks] = await Promise.all([run.rowsOf("pauses", "pauses"), run.forks()]);
      return pauses.map(({ fork_row, cause, ...row }, position) => {
        const fork = forks[fork_row];
        const about = { fork, name: `${fork.number}/${fork.fork}`, setting: operationOf(fork) };
        return { id: `pause ${position}`, ...row, reason: cause, ...about, experiment: fork.experiment };
      });
    },
    columns: [
      { name: "name", title: "JVM run", cell: (row) => opens(row.fork.id, row.name) },
      ...named(["pause_ms", "uptime_ms", "kind", "reason", "side", "setting", "experiment"]),
    ],
  },
};

async function showData(place, controls, [run], counted) {
  const titles = Object.fromEntries(Object.entries(DATA).map(([name, { title }]) => [name, title]));
  const chosen = pickView(controls, "data", "table", titles, run.verdicts.length ? "verdicts" : "cells");
  const { rows: rowsOf, columns, title } = DATA[chosen];
  const rows = await rowsOf(run);
  await grid(place, rows, columns, title, (left) => counted(`${left} of ${rows.length} ${title}`));
}
