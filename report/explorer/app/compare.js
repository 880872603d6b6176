// Pick two environments, systems, JDKs, providers, levels of a factor, or runs: every pair of like cells with its
// ratio.

function dimensions(runs) {
  const cells = runs.flatMap((run) => run.cells);
  const names = [
    "environment",
    "system",
    "jdk",
    "provider",
    "cpu_profile",
    "protocol",
    ...new Set(cells.flatMap(factorsOf)),
  ];
  const levels = new Map(
    names.map((name) => [name, [...new Set(runs[0].cells.map((cell) => cell[name]).filter(Boolean))].sort()]),
  );
  if (runs.length > 1)
    levels.set(
      "run",
      runs.map((run) => run.name),
    );
  return new Map([...levels].filter(([, values]) => values.length > 1));
}

// The pairs that the address asks for: { pairs, runA, runB }.
function askedPairs(runs, by, a, b, measure) {
  const [runA, runB] =
    by === "run" ? [runs.find((run) => run.name === a), runs.find((run) => run.name === b)] : [runs[0], runs[0]];
  const of = (run, level) =>
    run.cells.filter((cell) => (!measure || cell.measure === measure) && (by === "run" || cell[by] === level));
  return { runA, runB, pairs: likeCells(of(runA, a), of(runB, b), by) };
}

// The levels that are asked for; where one is not, the first with which there is something to compare.
function startingPair(runs, by, levels, measure, a, b) {
  const lefts = levels.includes(a) ? [a] : levels;
  const rights = levels.includes(b) ? [b] : levels;
  const all = lefts.flatMap((left) => rights.filter((right) => right !== left).map((right) => ({ a: left, b: right })));
  return (
    all.find((each) => askedPairs(runs, by, each.a, each.b, measure).pairs.length) ??
    all[0] ?? { a: levels[0], b: levels[1] }
  );
}

// What the pairs of a comparison differ in, in words: what all of them share says nothing.
function pairWords(cells, by) {
  const names = [
    "workload",
    ...new Set(cells.flatMap(factorsOf)),
    "provider",
    "protocol",
    "cpu_profile",
    "environment",
  ].filter((name) => name !== by && (by === "run" || name !== "environment" || !DIFFERS[by]));
  const telling = names.filter((name) => name === "workload" || new Set(cells.map((cell) => cell[name])).size > 1);
  return (cell) =>
    telling
      .map((name) => cell[name])
      .filter(Boolean)
      .join(", ");
}

async function showCompare(place, controls, runs, counted) {
  const known = dimensions(runs);
  if (!known.size) {
    place.append(
      make(
        "p",
        {},
        "Every cell of this run has the same environment, provider and factors: there are no two to compare. " +
          "Add another run below.",
      ),
    );
    return counted("");
  }
  const { keys } = address.read();
  const by = known.has(keys.get("by"))
    ? keys.get("by")
    : [...known.keys()].at(-1) === "run"
      ? "run"
      : [...known.keys()][0];
  const levels = known.get(by);
  const measure = keys.get("measure") ?? "wall";
  const { a, b } = startingPair(runs, by, levels, measure, keys.get("a"), keys.get("b"));
  const go = (changes) => {
    window.location.hash = address.of("compare", { by, a, b, measure, ...changes });
  };
  controls.append(
    choice(
      "compare by",
      [...known.keys()].map((name) => [name, plainName(name)]),
      by,
      (value) => go({ by: value, a: "", b: "" }),
    ),
    choice(
      "A",
      levels.map((level) => [level]),
      a,
      (value) => go({ a: value }),
    ),
    choice(
      "B",
      levels.map((level) => [level]),
      b,
      (value) => go({ b: value }),
    ),
    choice(
      "time",
      [
        ["wall", "wall"],
        ["cpu", "CPU"],
      ],
      measure,
      (value) => go({ measure: value }),
    ),
  );
  const { runA, runB, pairs } = askedPairs(runs, by, a, b, measure);
  const words = pairWords(
    pairs.map(([one]) => one),
    by,
  );
  const rows = await Promise.all(
    pairs.map(async ([one, two], place_) => ({
      id: `${place_}`,
      one,
      two,
      experiment: one.experiment,
      words: words(one),
      a_ns: one.mean_ns,
      b_ns: two.mean_ns,
      forks: Math.min(one.forks, two.forks),
      settled: [one.settled, two.settled].includes("not proved")
        ? "not proved"
        : one.settled === two.settled
          ? one.settled
          : "still compiling",
      ...(await ratioOf(runA, one, runB, two)),
    })),
  );
  const apart =
    by === "run" && rows.some(({ one, two }) => one.machine_id !== two.machine_id)
      ? " Some are of two machines: what differs may be these."
      : "";
  counted(`${rows.length} pairs of like cells; a ratio below 1 says that A takes less time.${apart}`);
  const picture_ = ratioPlot(rows);
  if (picture_) place.append(picture_);
  const cellLink = (cell, run, text) => (run === runs[0] ? opens(cell.id, text) : text);
  const ratio = (row) =>
    make(
      "span",
      { class: row.settled.includes("not") || row.settled.includes("still") ? "unsettled" : null },
      number(row.ratio),
    );
  await grid(
    place,
    rows,
    [
      { name: "experiment" },
      { name: "words", title: "cells" },
      { name: "a_ns", title: `A: ${a}`, cell: (row) => cellLink(row.one, runA, number(row.a_ns, time)) },
      { name: "b_ns", title: `B: ${b}`, cell: (row) => cellLink(row.two, runB, number(row.b_ns, time)) },
      { name: "ratio", title: "A / B", cell: ratio },
      { name: "lower" },
      { name: "upper" },
      { name: "forks" },
      { name: "method" },
      { name: "settled" },
      { name: "source" },
    ],
    "Pairs of like cells",
    () => {},
  );
  return undefined;
}
