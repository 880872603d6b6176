// Pictures, by Observable Plot. Each has its numbers in a table beside it; colour is never alone.

const STATES = { proved: "circle", "by definition": "circle", "still compiling": "triangle", "not proved": "square" };

function picture(label, caption, options) {
  const drawn = Plot.plot({ width: 900, marginLeft: 60, inset: 10, style: { fontSize: "12px" }, ...options });
  drawn.setAttribute("aria-label", label);
  return make("figure", {}, drawn, make("figcaption", {}, caption));
}

// Forks by round, a dot each, linked to its page: filled where it counts.
function forkPlot(forks, value, href) {
  const rows = forks
    .filter((fork) => value(fork) !== null)
    .map((fork, place) => ({ fork, place: place + 1, value: value(fork) / 1e6 }));
  return picture(
    "Time per operation of each fork",
    "Each mark is a fork, in the order of rounds: open where a gate left it out; a circle where its times" +
      " are settled, a triangle where still compiling, a square where not proved.",
    {
      height: 260,
      x: { label: null, tickFormat: "d", ticks: Math.min(rows.length, 12) },
      y: { label: "ms per operation", grid: true, nice: true },
      symbol: { domain: Object.keys(STATES), range: Object.values(STATES) },
      marks: [
        Plot.dot(rows, {
          x: "place",
          y: "value",
          r: 5,
          symbol: (row) => row.fork.settled,
          stroke: "#0b4f9c",
          fill: (row) => (row.fork.valid === "TRUE" ? "#0b4f9c" : "white"),
          href: (row) => href(row.fork),
          title: (row) => `round ${row.fork.number}, fork ${row.fork.fork}: ${time(row.value * 1e6)}`,
        }),
      ],
    },
  );
}

// Iterations of a fork, and the stops of its JVM that hit one.
function iterationPlot(rows) {
  const points = rows
    .filter((row) => row.operations > 0)
    .map((row) => ({ ...row, ms: row.duration_ns / row.operations / 1e6 }));
  return picture(
    "Time per operation of each iteration",
    "Filled: the iterations that the fork's mean is made of. Below a mark a line: a stop of the JVM fell into it.",
    {
      height: 260,
      x: { label: null, tickFormat: "d" },
      y: { label: "ms per operation", grid: true, nice: true },
      marks: [
        Plot.tickX(
          points.filter((row) => row.pause_ms > 0),
          { x: "iteration", stroke: "#c45500", insetTop: 215 },
        ),
        Plot.dot(points, {
          x: "iteration",
          y: "ms",
          r: 3.5,
          stroke: "#0b4f9c",
          fill: (row) => (row.measured === "TRUE" ? "#0b4f9c" : "white"),
          title: (row) => `iteration ${row.iteration}: ${time(row.ms * 1e6)}`,
        }),
      ],
    },
  );
}

// The width of the widest of some labels in a picture, in pixels.
function widest(labels) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "12px system-ui, sans-serif";
  return Math.ceil(Math.max(...labels.map((label) => pen.measureText(label).width)));
}

// Ratios with intervals on a logarithmic axis, an entry a line.
function ratioPlot(rows) {
  const shown = rows.filter((row) => row.lower !== null && row.lower > 0).slice(0, 40);
  if (!shown.length) return null;
  const words = 20 + widest(shown.map((row) => row.words));
  const part = shown.length < rows.length ? `The first ${shown.length} of ${rows.length} rows with an interval. ` : "";
  return picture(
    "Ratios with their intervals",
    `${part}A dot is the ratio, the line its interval; left of 1 A takes less.`,
    {
      height: 60 + 20 * shown.length,
      width: 570 + words,
      marginLeft: words,
      x: { type: "log", label: "A / B", grid: true, tickFormat: (value) => digits(value) },
      y: { label: null, domain: shown.map((row) => row.words) },
      marks: [
        Plot.ruleX([1], { stroke: "#555" }),
        Plot.ruleY(shown, { y: "words", x1: "lower", x2: "upper", stroke: "#0b4f9c", strokeWidth: 2 }),
        Plot.dot(shown, {
          y: "words",
          x: "ratio",
          r: 4,
          fill: "#0b4f9c",
          title: (row) => `${digits(row.ratio)} [${digits(row.lower)}, ${digits(row.upper)}]`,
        }),
      ],
    },
  );
}
