// The views: what each is called, what it says of itself, and how it is drawn.

const linked = (title) => ({ name: "id", title, cell: (row) => opens(row.id, row.name ?? row.id) });
const named = (names) => names.map((name) => ({ name }));
const inUse = (rows, columns) =>
  columns.filter(
    ({ name, always }) =>
      always || rows.some((row) => row[name] !== null && row[name] !== undefined && row[name] !== ""),
  );
const withSetting = (rows) =>
  rows.map((row) => ({
    ...row,
    setting: factorsOf(row)
      .map((name) => row[name])
      .join(", "),
  }));
const factorColumns = (rows) => [...new Set(rows.flatMap(factorsOf))].map((name) => ({ name }));

function tableView(rowsOf, columnsOf, label) {
  return async (place, controls, runs, counted) => {
    const rows = await rowsOf(runs[0]);
    await grid(place, rows, inUse(rows, columnsOf(rows)), label, (left) => counted(`${left} of ${rows.length} rows`));
  };
}

const VIEWS = {
  claims: {
    title: "Claims",
    about:
      "One row for each claim, environment and protocol. Its link leads to what it was judged on, and from " +
      "there to each fork.",
    draw: tableView(
      (run) => run.verdicts,
      () => [
        linked("verdict id"),
        ...named(["experiment", "claim", "variant", "verdict"]),
        { name: "estimate", format: digits },
        { name: "lower" },
        { name: "upper" },
        ...named([
          "cause",
          "settled",
          "forks_min",
          "forks_needed",
          "p_holm",
          "environment",
          "protocol",
          "cpu_profile",
          "measure",
          "form",
          "reason",
        ]),
      ],
      "Claims",
    ),
  },
  cells: {
    title: "Cells",
    about:
      "A cell is a workload with one setting of every factor, one provider, one protocol, one CPU profile, " +
      "in one environment. Means over forks with 95 % intervals.",
    draw: tableView(
      (run) => withSetting(run.cells).map((cell) => ({ ...cell, name: cell.workload })),
      (rows) => [
        linked("cell"),
        ...named([
          "experiment",
          "setting",
          "provider",
          "environment",
          "cpu_profile",
          "protocol",
          "measure",
          "mean_ns",
          "lower_ns",
          "upper_ns",
          "half_width_pct",
          "forks",
          "settled",
          "reached",
          "sd_between_ns",
          "sd_within_ns",
          "settled_why",
        ]),
        ...factorColumns(rows),
        ...named(["workload", "jdk", "system", "machine_id"]),
      ],
      "Cells",
    ),
  },
  forks: {
    title: "Forks",
    about:
      "A fork is one fresh JVM, the unit of replication. Its link leads to its iterations, gates, hot chain" +
      " and command.",
    draw: tableView(
      (run) => withSetting(run.forks).map((fork) => ({ ...fork, name: `${fork.number}/${fork.fork}` })),
      (rows) => [
        linked("round/fork"),
        ...named(["experiment", "workload", "setting"]),
        ...named([
          "provider",
          "environment",
          "cpu_profile",
          "protocol",
          "wall_ns_per_op",
          "cpu_ns_per_op",
          "measured_iterations",
          "iterations",
          "steady",
          "settled",
          "settled_why",
          "valid",
          "invalid_cause",
          "pauses",
          "pause_ms",
          "spin_ratio",
          "others_share",
        ]),
        ...factorColumns(rows),
        ...named(["round", "cell"]),
      ],
      "Forks",
    ),
  },
  pauses: {
    title: "Pauses",
    about: "Each stop of a JVM's application threads, from HotSpot's own log.",
    draw: tableView(
      async (run) => {
        const { pauses } = await run.block("pauses");
        return pauses
          ? pauses.rows().map((row, place) => {
              const fork = run.forks[row.fork_row];
              return {
                ...row,
                id: `p${place}`,
                fork,
                experiment: fork.experiment,
                workload: fork.workload,
                environment: fork.environment,
                provider: fork.provider,
                protocol: fork.protocol,
              };
            })
          : [];
      },
      () => [
        { name: "id", title: "fork", cell: (row) => opens(row.fork.id, `${row.fork.number}/${row.fork.fork}`) },
        ...named([
          "experiment",
          "workload",
          "provider",
          "environment",
          "protocol",
          "pause_ms",
          "uptime_ms",
          "kind",
          "cause",
          "side",
        ]),
      ],
      "Pauses",
    ),
  },
  pivot: {
    title: "Pivot",
    about: "Cells as a table of any two of their factors. Italic: not proved settled.",
    draw: async (place, controls, runs, counted) => showPivot(place, controls, runs[0], counted),
  },
  compare: {
    title: "Compare two",
    about:
      "Ratios of like cells with 95 % intervals: as the tables have them, or, where they have none, by the " +
      "same formula from the forks. Italic: not proved settled.",
    draw: showCompare,
  },
};
