// What a row leads to: a verdict to its contrasts and both cells, a cell to its forks, a fork to all that was recorded.

const forkLink = (fork) => opens(fork.id, `round ${fork.number}, fork ${fork.fork}`);

function forkTable(forks, measure, caption) {
  return plain(
    caption,
    [
      { head: "fork", cell: ({ fork }) => forkLink(fork) },
      { head: plainName(measure), cell: ({ value }) => number(value, valueOf(measure)), number: true },
      { head: "counts", cell: ({ fork }) => (fork.valid === "TRUE" ? "yes" : `no: ${fork.invalid_cause}`) },
      { head: "iterations that count", cell: ({ fork }) => number(fork.measured_iterations, String), number: true },
      { head: "settled", cell: ({ fork }) => fork.settled },
      { head: "why", cell: ({ fork }) => fork.settled_why },
    ],
    forks,
    true,
  );
}

const cellPart = async (run, cell, title) => {
  const counted = new Map((await run.valuesOf(cell, cell.measure, false)).map(({ fork, value }) => [fork, value]));
  const columns = { wall: "wall_ns_per_op", cpu: "cpu_ns_per_op" };
  const all = (run.forksOf.get(keyOf(cell, CELL)) || []).map((fork) => ({
    fork,
    value: counted.get(fork) ?? fork[columns[cell.measure]] ?? null,
  }));
  return [
    make("h3", {}, title),
    columns[cell.measure] && all.length > 1
      ? forkPlot(
          all.map(({ fork }) => fork),
          (fork) => fork[columns[cell.measure]],
          (fork) => address.with({ open: fork.id }),
        )
      : null,
    forkTable(all, cell.measure, `Forks of ${cell.cell}`),
  ].filter(Boolean);
};

async function cellPage(run, cell) {
  return [
    make("h2", { tabindex: "-1" }, `Cell: ${cellWords(cell)}`),
    facts({
      mean: make(
        "span",
        {},
        number(cell.mean_ns, time),
        " ",
        span(cell.lower_ns, cell.upper_ns, time),
        ` ${cell.measure} time per operation, over ${cell.forks} forks`,
      ),
      "half-width": cell.half_width_pct === null ? "" : number(cell.half_width_pct, formatOf("half_width_pct")),
      wanted:
        cell.wanted_half_width_pct === null || cell.wanted_half_width_pct === ""
          ? ""
          : make(
              "span",
              {},
              number(cell.wanted_half_width_pct, formatOf("half_width_pct")),
              `, reached: ${cell.reached}`,
            ),
      "between forks, within": make(
        "span",
        {},
        number(cell.sd_between_ns, time),
        ", ",
        number(cell.sd_within_ns, time),
      ),
      settled: [cell.settled, cell.settled_why].filter(Boolean).join(": "),
      environment: [cell.environment, cell.image_id].join(", "),
      machine: cell.machine_id,
    }),
    ...(await cellPart(run, cell, "Its forks")),
  ];
}

const sideOf = (contrast, side) => ({
  experiment: contrast.experiment,
  machine_id: contrast.machine_id,
  environment: contrast[`${side}_environment`],
  image_id: contrast[`${side}_image_id`],
  cell: contrast[`${side}_cell`],
  measure: contrast.measure,
});

async function verdictPage(run, verdict) {
  const claim = run.experiment(verdict.experiment).claims[verdict.claim] || {};
  const same = ["experiment", "claim", "variant", "environment", "image_id", "machine_id", "protocol", "cpu_profile"];
  const contrasts = run.contrasts.filter((row) => same.every((name) => (row[name] ?? "") === (verdict[name] ?? "")));
  const decisive = run.contrasts.find((row) => row.contrast === verdict.contrast);
  const format = decisive && !decisive.denominator_cell ? valueOf(decisive.measure) : digits;
  const sides = decisive
    ? ["numerator", "denominator"].map((side) => [side, sideOf(decisive, side)]).filter(([, cell]) => cell.cell)
    : [];
  const limits = (row) => `${row.target_lower ?? "open"} to ${row.target_upper ?? "open"}`;
  return [
    make("h2", { tabindex: "-1" }, `${verdict.id}: ${verdict.claim} is ${verdict.verdict}`),
    make("p", {}, claim.text ? `“${claim.text}” (${claim.place ?? "no place is given"})` : ""),
    make("p", {}, verdict.reason),
    facts({
      "95 % interval":
        verdict.estimate === null
          ? ""
          : make("span", {}, number(verdict.estimate, format), " ", span(verdict.lower, verdict.upper, format)),
      "the claim wants": decisive ? limits(decisive) : "",
      "inconclusive because": verdict.cause ?? "",
      "forks a cell that would decide": verdict.forks_needed === null ? "" : verdict.forks_needed,
      "p, after Holm": verdict.p === null ? "" : make("span", {}, number(verdict.p), ", ", number(verdict.p_holm)),
      "fewest forks of a cell": verdict.forks_min ?? "",
      settled: verdict.settled ?? "",
      "not off by more than": verdict.turning === null ? "" : number(verdict.turning),
      covers: verdict.covers,
      caveat: verdict.caveat,
      where: [verdict.environment, verdict.protocol, verdict.cpu_profile, verdict.measure, verdict.form]
        .filter(Boolean)
        .join(", "),
      "by hand": `make trace ID=${verdict.id}`,
    }),
    contrasts.length
      ? plain(
          "What it was judged on",
          [
            {
              head: "contrast",
              cell: (row) => (row.contrast === verdict.contrast ? `${row.contrast}, decisive` : row.contrast),
            },
            { head: "of", cell: (row) => row.scope },
            { head: "numerator", cell: (row) => row.numerator },
            { head: "denominator", cell: (row) => row.denominator },
            {
              head: "ratio or value",
              cell: (row) => number(row.ratio, row.denominator_cell ? digits : valueOf(row.measure)),
              number: true,
            },
            {
              head: "95 % interval",
              cell: (row) =>
                make("span", {}, span(row.lower, row.upper, row.denominator_cell ? digits : valueOf(row.measure))),
              number: true,
            },
            { head: "wanted", cell: limits },
            { head: "method", cell: (row) => row.method },
            { head: "settled", cell: (row) => row.settled ?? "" },
          ],
          contrasts,
          true,
        )
      : null,
    ...(await Promise.all(sides.map(([side, cell]) => cellPart(run, cell, `The ${side}: ${decisive[side]}`)))).flat(),
  ].filter(Boolean);
}

// The elements of what an id names, or null.
async function pageOf(run, id) {
  const among = (rows, page) => {
    const row = rows.find((each) => each.id === id);
    return row ? page(run, row) : null;
  };
  if (id.startsWith("fork:")) return among(run.forks, forkPage);
  if (id.startsWith("cell:")) return among(run.cells, cellPage);
  return among(run.verdicts, verdictPage);
}
