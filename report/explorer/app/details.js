// The pages of a benchmark and of a JVM run: what it took, its iterations, what disturbed it, its warm-up, and how to
// repeat it.

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
      "warm-up": listed([said(cell.warm_up_state), cell.warm_up_why], ": "),
      experiment: run.experiment(cell.experiment).title,
      "CPU class": run.about.cpu_profiles[cell.cpu_profile] ?? cell.cpu_profile,
      environment: [cell.environment_label, cell.image_id].join(", "),
      machine: cell.machine_id,
    }),
    ...(await forksPart(run, cell, "Its JVM runs")),
  ];
}

const STATE_WORDS = {
  c2: "compiled by C2 (tier 4)",
  inlined: "inlined into C2's code",
  intrinsic: "an intrinsic of the JVM",
  trivial: "compiled (tier 1, trivial)",
  native: "native code",
  c1: "C1's code (tier 2 or 3): warm-up unproven",
  interpreted: "interpreted: warm-up unproven",
};

async function forkPage(run, fork) {
  const [iterations, chain, compilations, commands, observed] = await Promise.all(
    ["iterations", "chain", "compilations", "commands", "observed"].map((name) => run.within("inside", name, fork)),
  );
  const same = (names) => (row) => names.every((name) => row[name] === fork[name]);
  const pauses = await run.within("pauses", "pauses", fork);
  const cells = (await run.cells()).filter(same(CELL));
  const round = (await run.rowsOf("main", "rounds")).find(same(["experiment", "environment", "round"])) ?? {};
  const file = (name) => `${round.path ?? [fork.experiment, fork.environment, fork.round].join("/")}/${name}`;
  const numbered = String(fork.fork).padStart(3, "0");
  const column = (name, format = formatOf(name)) => ({
    head: titleOf(name),
    number: format !== null,
    cell: (row) => (typeof row[name] === "number" ? number(row[name], format ?? String) : said(row[name])),
  });
  const parts = [
    make("h2", { tabindex: "-1" }, `JVM run ${fork.fork} of round ${fork.number}: ${cellWords(run, fork)}`),
    facts({
      benchmark: make(
        "span",
        cells.map((cell, place) => [place ? ", " : "", opens(cell.id, said(cell.measure))]),
      ),
      ...Object.fromEntries(
        Object.entries(TIME_COLUMNS).map(([measure, name]) => [
          said(measure),
          fork[name] === null ? "" : make("span", number(fork[name], time), " per operation"),
        ]),
      ),
      iterations:
        `${fork.iterations}, of which ${fork.measured_iterations} make its mean, ` +
        `from ${fork.steady_from} on (${fork.steady})`,
      environment: [fork.environment_label, fork.image_id].join(", "),
      machine: fork.machine_id,
      "measured at": round.started_at ? `${round.started_at} to ${round.finished_at} (its round)` : "",
    }),
    make("h3", "Was it disturbed?"),
    facts({
      counts: fork.valid === "TRUE" ? "yes: nothing disturbed it" : disturbedBy(fork),
      "repeats JVM run": fork.rerun_of || "",
      ...Object.fromEntries(gateNames().map((name) => [titleOf(name), number(fork[name], formatOf(name))])),
    }),
    make("h3", `Warm-up: ${said(fork.warm_up_state)}`),
    fork.warm_up_why ? make("p", fork.warm_up_why) : null,
    plainIfAny(
      "Its hot call path, from the benchmark method inwards, after the last iteration",
      [
        { head: "depth", cell: (row) => number(row.depth, String), number: true },
        { head: "method", cell: (row) => row.method },
        { head: "share of samples", cell: (row) => number(row.share, formatOf("share")), number: true },
        { head: "runs as", cell: (row) => STATE_WORDS[row.state] ?? row.state },
        { head: "inside the code of", cell: (row) => row.within ?? "" },
        { head: "since", cell: (row) => number(row.since_ms, formatOf("since_ms")), number: true },
      ],
      chain,
    ) ?? make("p", "No hot call path was recorded."),
    compilations.length
      ? make(
          "details",
          make("summary", `What happened to that code: ${compilations.length} events`),
          plainIfAny(
            "Compilations",
            [column("uptime_ms"), column("method", null), column("tier", String), column("event", null)],
            compilations,
          ),
        )
      : null,
    make("h3", "Iterations"),
    iterations.length ? iterationPlot(iterations) : make("p", "The iterations of this run are not here."),
    plainIfAny(
      "Iterations with warm-up; the mean is the total time over the total operations of those that count",
      [
        { head: "iteration", cell: (row) => number(row.iteration, String), number: true },
        { head: "counts", cell: (row) => (row.measured === "TRUE" ? "yes" : "no") },
        { head: "per operation", cell: (row) => number(row.duration_ns / row.operations, time), number: true },
        ...["duration_ns", "operations", "worker_cpu_ns", "jit_ms", "gc_ms", "pause_ms", "segment"].map((name) =>
          column(name),
        ),
      ],
      iterations,
    ),
    plainIfAny(
      "Observed besides time: means over the iterations that count",
      [
        { head: "measure", cell: (row) => row.measure },
        { head: "value", cell: (row) => number(row.value), number: true },
        { head: "sd", cell: (row) => number(row.sd), number: true },
      ],
      observed,
    ),
    plainIfAny(
      "Pauses of its JVM",
      [column("uptime_ms"), column("pause_ms"), ...["kind", "cause", "side"].map((name) => column(name, null))],
      pauses,
    ),
    make("h3", "Repeat it, and its raw files"),
    ...commands.flatMap(({ command }) => [
      make("pre", { id: "command" }, command),
      button("Copy the command", async (event) => {
        await navigator.clipboard.writeText(command);
        event.target.textContent = "Copied";
      }),
    ]),
    make(
      "p",
      "Below the directory of rounds: ",
      ["jmh/", "gc/"].map((folder) => `${file(folder)}${numbered}${folder === "jmh/" ? ".json" : ".log"}`).join(", "),
      `, ${file("iterations.csv")}, ${file("commands.txt")}`,
    ),
  ];
  return parts.filter(Boolean);
}
