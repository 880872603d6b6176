// Choose: all providers at one operation, the fastest first.

const SIZES = ["factor.size", "factor.message"];
const sizeOf = (row) => SIZES.map((name) => row[name]).find(Boolean) ?? "";

// The pair of two cells, or the same read the other way round; undefined where the tables have none.
function pairOf(pairs, one, two) {
  const forward = pairs.find((each) => each.one === one && each.two === two);
  const backward = forward ? null : pairs.find((each) => each.one === two && each.two === one);
  return forward?.pair ?? (backward && reversed(backward.pair));
}
const inverse = (value) => (typeof value === "number" ? 1 / value : null);
const reversed = (pair) => ({
  ...pair,
  ratio: inverse(pair.ratio),
  lower: inverse(pair.upper),
  upper: inverse(pair.lower),
});
const ratioWords = (pair) =>
  pair
    ? [estimate(pair.ratio, pair.lower, pair.upper, digits), pair.lower === null ? make("small", "no interval") : null]
    : "";

async function showChoose(place, controls, [run], counted) {
  // The calibration measures the same work under several names: nothing to choose from.
  const cells = (await run.cells()).filter((row) => row.experiment !== "calibration");
  const pairs = await run.pairs();
  const providers = (rows) => uniques(rows, (row) => row.provider);
  const operation = (row) => operationOf(row, SIZES) + row.experiment;
  const compared = varying(cells, operation, (row) => row.provider);
  const left = pick(controls, compared.length ? compared : cells, [
    operationChoice(
      run,
      SIZES,
      (own) => 100 * providers(own.filter(({ protocol }) => isWarm(protocol))) + providers(own),
    ),
    { name: "size", label: "size", value: sizeOf, text: (level) => level || "fixed", prefer: providers },
    environmentOf(run),
    conditionsOf(run),
  ]);
  const rows = d3.sort(left, (row) => row.mean_ns);
  if (!rows.length) {
    counted("This run measured nothing that can be chosen.");
    return;
  }
  const [first] = rows;
  const heads = [operationOf(first), first.environment_label, said(first.protocol)].join("; ");
  counted(`${heads}: ${plural(rows.length, "provider")}, the fastest first.`);
  place.append(
    dotPlot(
      rows.map((row) => ({
        key: row.id,
        label: providerName(run, row.provider),
        ...meanOf(row),
        hollow: unproven(row),
        open: row.id,
        ...providerStyle(run, row.provider),
      })),
      {
        label: `Time of ${heads}, by provider`,
        caption: "Mean over JVM runs with its 95 % interval; further left is faster. Open: warm-up unproven.",
        axis: `${said(first.measure)} per operation, logarithmic`,
        format: shortTime,
        title: time,
      },
    ),
    plain(
      "The same in numbers",
      [
        { head: "provider", cell: (row) => opens(row.id, providerName(run, row.provider)) },
        { head: "time", cell: meanWords, number: true },
        {
          head: "times the fastest's time",
          cell: (row) => (row === first ? "1, the fastest" : ratioWords(pairOf(pairs, row, first))),
          number: true,
        },
        { head: "JVM runs", cell: (row) => number(row.forks, String), number: true },
        { head: "warm-up", cell: (row) => said(row.warm_up_state) },
      ],
      rows,
    ),
  );
}
