// A fork's page: what it took, its iterations, its gates, whether its times are settled and why, and how to repeat it.

const STATE_WORDS = {
  c2: "compiled by C2 (tier 4)",
  inlined: "inlined into C2's code",
  intrinsic: "an intrinsic of the JVM",
  trivial: "compiled (tier 1, trivial)",
  native: "native code",
  c1: "C1's code (tier 2 or 3): not settled",
  interpreted: "interpreted: not settled",
};

async function forkPage(run, fork) {
  const [iterations, chain, compilations, commands, pauses, observed] = await Promise.all([
    run.within("inside", "iterations", fork),
    run.within("inside", "chain", fork),
    run.within("inside", "compilations", fork),
    run.within("inside", "commands", fork),
    run.within("pauses", "pauses", fork),
    run.within("inside", "observed", fork),
  ]);
  const round = run.rounds.get(keyOf(fork, ["experiment", "environment", "round"])) || {};
  const cells = run.cells.filter((cell) => CELL.every((name) => cell[name] === fork[name]));
  const file = (name) => `${round.path ?? [fork.experiment, fork.environment, fork.round].join("/")}/${name}`;
  const numbered = String(fork.fork).padStart(3, "0");
  const parts = [
    make("h2", { tabindex: "-1" }, `Fork ${fork.fork} of round ${fork.number}: ${cellWords(fork)}`),
    facts({
      cell: cells.map((cell, place) => [place ? ", " : "", opens(cell.id, `${cell.cell} (${cell.measure})`)]).flat(),
      "wall time":
        fork.wall_ns_per_op === null ? "" : make("span", {}, number(fork.wall_ns_per_op, time), " per operation"),
      "CPU time":
        fork.cpu_ns_per_op === null ? "" : make("span", {}, number(fork.cpu_ns_per_op, time), " per operation"),
      iterations:
        `${fork.iterations}, of which ${fork.measured_iterations} make its mean, ` +
        `from ${fork.steady_from} on (${fork.steady})`,
      environment: [fork.environment, fork.jdk, fork.image_id].filter(Boolean).join(", "),
      machine: fork.machine_id,
      "measured at": round.started_at ? `${round.started_at} to ${round.finished_at} (its round)` : "",
    }),
    make("h3", {}, "Gates"),
    facts({
      counts: fork.valid === "TRUE" ? "yes: it broke no gate" : `no: it broke ${fork.invalid_cause}`,
      "repeats fork": fork.rerun_of || "",
      ...Object.fromEntries(
        ["steal_share", "others_share", "throttled", "involuntary_per_s", "gc_share", "spin_ratio"].map((name) => [
          plainName(name),
          fork[name] === null || fork[name] === "" ? "" : number(fork[name], formatOf(name)),
        ]),
      ),
    }),
    make("h3", {}, `Settled: ${fork.settled}`),
    fork.settled_why ? make("p", {}, fork.settled_why) : null,
    chain.length
      ? plain(
          "Its hot chain: what the operation is in, from the benchmark method inwards, when the last iteration " +
            "had ended",
          [
            { head: "depth", cell: (row) => number(row.depth, String), number: true },
            { head: "method", cell: (row) => row.method },
            { head: "share of samples", cell: (row) => number(row.share, formatOf("share")), number: true },
            { head: "runs as", cell: (row) => STATE_WORDS[row.state] ?? row.state },
            { head: "inside the code of", cell: (row) => row.within ?? "" },
            { head: "since", cell: (row) => number(row.since_ms, formatOf("since_ms")), number: true },
          ],
          chain,
          true,
        )
      : make("p", {}, "No hot chain was recorded of it."),
    compilations.length
      ? make(
          "details",
          {},
          make("summary", {}, `What happened to that code: ${compilations.length} events`),
          plain(
            "Compilations",
            ["uptime_ms", "method", "tier", "event"].map((name) => ({
              head: plainName(name),
              number: name === "uptime_ms",
              cell: (row) =>
                typeof row[name] === "number"
                  ? number(row[name], name === "tier" ? String : formatOf(name))
                  : row[name],
            })),
            compilations,
            true,
          ),
        )
      : null,
    make("h3", {}, "Iterations"),
    iterations.length ? iterationPlot(iterations) : make("p", {}, "This run came without its iterations."),
    iterations.length
      ? plain(
          "Iterations, warm-up too; a fork's mean is the sum of the times over the sum of the operations of " +
            "those that count",
          [
            { head: "iteration", cell: (row) => number(row.iteration, String), number: true },
            { head: "counts", cell: (row) => (row.measured === "TRUE" ? "yes" : "no") },
            { head: "per operation", cell: (row) => number(row.duration_ns / row.operations, time), number: true },
            ...["duration_ns", "operations", "worker_cpu_ns", "jit_ms", "gc_ms", "pause_ms", "segment"].map((name) => ({
              head: plainName(name),
              number: true,
              cell: (row) => (typeof row[name] === "number" ? number(row[name], formatOf(name)) : ""),
            })),
          ],
          iterations,
          true,
        )
      : null,
    observed.length
      ? plain(
          "Observed besides time, means over the iterations that count",
          [
            { head: "measure", cell: (row) => row.measure },
            { head: "value", cell: (row) => number(row.value), number: true },
            { head: "sd", cell: (row) => number(row.sd), number: true },
          ],
          observed,
          true,
        )
      : null,
    pauses.length
      ? plain(
          "Stops of its JVM",
          ["uptime_ms", "pause_ms", "kind", "cause", "side"].map((name) => ({
            head: plainName(name),
            number: /_ms$/.test(name),
            cell: (row) => (typeof row[name] === "number" ? number(row[name], formatOf(name)) : row[name]),
          })),
          pauses,
          true,
        )
      : null,
    make("h3", {}, "Repeat it, and its raw files"),
    ...commands
      .map(({ command }) => [
        make("pre", { id: "command" }, command),
        make(
          "button",
          {
            type: "button",
            on: {
              click: (event) =>
                navigator.clipboard.writeText(command).then(() => {
                  event.target.textContent = "Copied";
                }),
            },
          },
          "Copy the command",
        ),
      ])
      .flat(),
    make(
      "p",
      {},
      "Below the directory of rounds: ",
      ["jmh/", "gc/"].map((folder) => `${file(folder)}${numbered}${folder === "jmh/" ? ".json" : ".log"}`).join(", "),
      `, ${file("iterations.csv")}, ${file("commands.txt")}`,
    ),
  ];
  return parts.filter(Boolean);
}
