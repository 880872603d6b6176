// A cell: its mean, and its forks.

const TIME_COLUMNS = { wall: "wall_ns_per_op", cpu: "cpu_ns_per_op" };

async function forksPart(run, cell, title) {
  const forks = (await run.forksByCell()).get(keyOf(cell, CELL)) ?? [];
  const column = TIME_COLUMNS[cell.measure];
  return [
    make("h3", title),
    forks.length > 1 ? forkPlot(forks, (fork) => fork[column]) : null,
    plain(
      `JVM runs of ${cellWords(run, cell)}`,
      [
        { head: "JVM run", cell: (fork) => opens(fork.id, `round ${fork.number}, JVM run ${fork.fork}`) },
        { head: said(cell.measure), cell: (fork) => number(fork[column], time), number: true },
        { head: "counts", cell: (fork) => (fork.valid === "TRUE" ? "yes" : disturbedBy(fork)) },
        { head: "iterations that count", cell: (fork) => number(fork.measured_iterations, String), number: true },
        { head: "warm-up", cell: (fork) => said(fork.warm_up_state) },
        { head: "why", cell: (fork) => fork.warm_up_why },
      ],
      forks,
      true,
    ),
  ].filter(Boolean);
}

async function cellPage(run, cell) {
  const wanted = typeof cell.wanted_half_width_pct === "number";
  return [
    make("h2", { tabindex: "-1" }, cellWords(run, cell)),
    facts({
      mean: make(
        "span",
        estimate(cell.mean_ns, cell.lower_ns, cell.upper_ns, time),
        ` ${said(cell.measure)} per operation, over ${cell.forks} JVM runs`,
      ),
      "half-width of the interval": number(cell.half_width_pct, formatOf("half_width_pct")),
      "wanted half-width": wanted
        ? make("span", number(cell.wanted_half_width_pct, formatOf("half_width_pct")), `, reached: ${cell.reached}`)
        : "",
      "standard deviation": make(
        "span",
        number(cell.sd_between_ns, time),
        " between JVM runs, ",
        number(cell.sd_within_ns, time),
        " within one",
      ),
      "warm-up": [said(cell.warm_up_state), cell.warm_up_why].filter(Boolean).join(": "),
      experiment: run.experiment(cell.experiment).title,
      "CPU class": run.about.cpu_profiles[cell.cpu_profile] ?? cell.cpu_profile,
      environment: [cell.environment_label, cell.image_id].join(", "),
      machine: cell.machine_id,
    }),
    ...(await forksPart(run, cell, "Its JVM runs")),
  ];
}
