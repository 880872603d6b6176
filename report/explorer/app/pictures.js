// Pictures, by Observable Plot, as wide as the page allows. Each has its numbers in a table beside it; colour is never
// alone.

const COLOURS = 12;
// One colour and one shape for a provider, in every picture of every run.
function providerStyle(run, provider) {
  const known = Object.keys(run.about.providers);
  const position = known.includes(provider) ? known.indexOf(provider) : known.length;
  return { colour: `var(--c${position % COLOURS})`, symbol: d3.symbolsFill[position % d3.symbolsFill.length] };
}
const protocolColour = (protocol) => (isWarm(protocol) ? "var(--c0)" : "var(--c1)");

const room = () => Math.max(300, Math.min(1240, document.getElementById("main").clientWidth));
const narrow = () => room() < 640;

function picture(label, caption, options) {
  const drawn = Plot.plot({
    width: room(),
    marginLeft: 60,
    marginRight: 24,
    style: { fontSize: "12px", background: "none", color: "var(--ink)" },
    ...options,
  });
  drawn.setAttribute("aria-label", label);
  drawn.setAttribute("role", "img");
  return make("figure", drawn, make("figcaption", caption));
}

// The width of the widest of some labels in a picture, in pixels.
function widest(labels) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "12px system-ui, sans-serif";
  return Math.ceil(Math.max(0, ...labels.map((label) => pen.measureText(label).width)));
}

// A logarithmic or linear axis over some values, with at least three labels.
function axisOf(values, { log, format, label }) {
  let [low, high] = d3.extent(values);
  if (!log) return { type: "linear", domain: [low, high], nice: true, grid: true, label, tickFormat: format };
  const margin = Math.max(1.03, (high / low) ** 0.04);
  [low, high] = [low / margin, high * margin];
  const steps = d3.range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) + 1);
  const within = (factors) =>
    steps.flatMap((step) => factors.map((each) => each * 10 ** step)).filter((each) => each >= low && each <= high);
  const most = narrow() ? 5 : 9;
  const ladders = [within([1, 2, 5]), within([1, 3]), within([1])];
  let ticks =
    ladders.find((each) => each.length <= most) ??
    within([1]).filter((_, place, all) => place % Math.ceil(all.length / most) === 0);
  if (ticks.length < 3) ticks = d3.ticks(low, high, most - 2);
  return { type: "log", domain: [low, high], ticks, axis: null, label };
}
// The labels and the grid of such an axis: left to itself, a logarithmic scale leaves labels out.
function axisMarks(dimension, { type, ticks, label }, format) {
  if (type !== "log") return [];
  const [grid, axis] = dimension === "x" ? [Plot.gridX, Plot.axisX] : [Plot.gridY, Plot.axisY];
  return [grid(ticks), axis(ticks, { label, text: (tick) => format(tick) })];
}

// What the dots of both pictures with intervals have in common: colour and shape of their row, open where it is hollow.
const dotStyle = {
  symbol: { transform: (rows) => rows.map((row) => row.symbol ?? d3.symbolCircle) },
  stroke: (row) => row.colour,
  fill: (row) => (row.hollow ? "var(--paper)" : row.colour),
  href: (row) => (row.open ? address.with({ open: row.open }) : null),
};
const intervalWords = ({ value, lower, upper }, format) =>
  format(value) + (Number.isFinite(lower) ? ` [${format(lower)}, ${format(upper)}]` : "");

// Rows as dots with their intervals, one a line. A row is { key, label, value, lower, upper, colour, symbol, open,
// hollow }; `band` is shaded, `marks` are { label, x, lower, upper } drawn as diamonds across.
function dotPlot(rows, { label, caption, axis, log = true, format = short, title = format, band, marks = [], one }) {
  const lines = [...new Set(rows.map((row) => row.key))];
  const names = new Map(rows.map((row) => [row.key, row.label]));
  // Long labels stand above their lines.
  const wide = widest(names.values());
  const inside = narrow() || wide > room() / 2;
  const finite = (each) => Number.isFinite(each) && (!log || each > 0);
  const values = rows.flatMap((row) => [row.value, row.lower, row.upper]);
  const shown = [...values, ...marks.map(({ x }) => x), one].filter(finite);
  // A band that is open to one side needs some room there.
  const ends = (band ?? []).filter(finite);
  if (ends.length === 1) {
    const outwards = band[0] === ends[0] ? 1 : -1;
    ends.push(log ? ends[0] * 1.25 ** outwards : ends[0] + 0.1 * outwards * Math.abs(ends[0]));
  }
  const x = axisOf(shown.concat(ends), { log, format, label: axis });
  const clip = (end, limit) => (finite(end) ? Math.min(Math.max(end, x.domain[0]), x.domain[1]) : limit);
  const height = inside ? 40 : 24;
  return picture(label, caption, {
    height: 74 + height * lines.length,
    marginLeft: inside ? 12 : 20 + wide,
    marginTop: 28,
    marginBottom: 44,
    x,
    y: { domain: lines, label: null, axis: null, padding: 0.5 },
    marks: [
      axisMarks("x", x, format),
      band
        ? Plot.rectX([band], {
            x1: (each) => clip(each[0], x.domain[0]),
            x2: (each) => clip(each[1], x.domain[1]),
            fill: "var(--band)",
          })
        : null,
      one ? Plot.ruleX([one], { stroke: "var(--soft-ink)" }) : null,
      Plot.text(lines, {
        y: (key) => key,
        text: (key) => names.get(key),
        frameAnchor: "left",
        textAnchor: inside ? "start" : "end",
        dx: inside ? 0 : -8,
        dy: inside ? -13 : 0,
        lineWidth: inside ? (room() - 30) / 12 : undefined,
        textOverflow: "ellipsis",
        fill: "var(--ink)",
      }),
      Plot.ruleY(
        rows.filter((row) => finite(row.lower)),
        {
          y: "key",
          x1: (row) => clip(row.lower, x.domain[0]),
          x2: (row) => clip(row.upper, x.domain[1]),
          stroke: (row) => row.colour,
          strokeWidth: 2,
        },
      ),
      Plot.dot(
        rows.filter((row) => finite(row.value)),
        {
          y: "key",
          x: "value",
          r: 5,
          ...dotStyle,
          title: (row) => `${row.label}: ${intervalWords(row, title)}`,
        },
      ),
      marks.length
        ? Plot.ruleX(marks, { x: "x", stroke: "var(--mark)", strokeWidth: 2, strokeDasharray: "5 3" })
        : null,
      marks.length
        ? Plot.text(marks, { x: "x", text: "label", frameAnchor: "top", dy: -14, fill: "var(--mark)" })
        : null,
    ],
  });
}

// Rows as lines with intervals, one for each series, over ordered or numeric x. A row is { x, series, value, lower,
// upper, colour, symbol, hollow, open }.
function linePlot(rows, { label, caption, x, y }) {
  const values = rows.flatMap((row) => [row.value, row.lower, row.upper]).filter((each) => each > 0);
  const axis = axisOf(values, { log: true, format: shortTime, label: y });
  const rotated = x.domain && (narrow() || x.domain.length > 6);
  return picture(label, caption, {
    height: 340 + (rotated ? 0.8 * widest(x.domain) : 0),
    marginLeft: 70,
    marginBottom: rotated ? 24 + 0.8 * widest(x.domain) : 44,
    x: rotated ? { ...x, tickRotate: -50 } : x,
    y: axis,
    marks: [
      axisMarks("y", axis, shortTime),
      x.type === "log" ? axisMarks("x", x, x.format) : null,
      Plot.line(rows, { x: "x", y: "value", z: "series", stroke: (row) => row.colour, strokeWidth: 1.5 }),
      Plot.ruleX(
        rows.filter((row) => row.lower > 0),
        { x: "x", y1: "lower", y2: "upper", stroke: (row) => row.colour, strokeWidth: 2 },
      ),
      Plot.dot(rows, {
        x: "x",
        y: "value",
        r: 4.5,
        ...dotStyle,
        title: (row) => `${row.series}, ${row.said}: ${intervalWords(row, time)}`,
      }),
    ],
  });
}

const swatch = (style) => {
  const svg = d3.create("svg:svg").attr("viewBox", "-8 -8 16 16").attr("class", "swatch").attr("aria-hidden", "true");
  svg.append("path").attr("d", d3.symbol(style.symbol, 90)()).attr("fill", style.colour);
  return svg.node();
};
const legend = (entries) =>
  make(
    "ul",
    { class: "legend" },
    entries.map(([name, style]) => make("li", swatch(style), name)),
  );

// A linear axis of times per operation, in one unit.
function timeAxis(values) {
  const most = d3.max(values) ?? 1;
  const [unit, factor] = UNITS.find(([, each]) => most >= each) ?? UNITS[3];
  return { label: `${unit} per operation`, grid: true, nice: true, transform: (ns) => ns / factor };
}

const STATES = { proven: "circle", "by definition": "circle", "still compiling": "triangle", unproven: "square" };
// Forks in the order of rounds, a mark each, linked to its page: filled where it counts.
function forkPlot(forks, value) {
  const rows = forks
    .filter((fork) => value(fork) > 0)
    .map((fork, position) => ({ fork, position: position + 1, value: value(fork) }));
  return picture(
    "Time per operation of each JVM run",
    "Each mark is a JVM run, in the order of rounds: open where it was left out; a circle where its warm-up is " +
      "proven, a triangle where it was still compiling, a square where its warm-up is unproven.",
    {
      height: 260,
      x: { label: null, tickFormat: "d", ticks: Math.min(rows.length, narrow() ? 6 : 12), inset: 10 },
      y: timeAxis(rows.map((row) => row.value)),
      symbol: { domain: Object.keys(STATES), range: Object.values(STATES) },
      marks: [
        Plot.dot(rows, {
          x: "position",
          y: "value",
          r: 5,
          symbol: (row) => row.fork.warm_up_state,
          stroke: "var(--c0)",
          fill: (row) => (row.fork.valid === "TRUE" ? "var(--c0)" : "var(--paper)"),
          href: (row) => address.with({ open: row.fork.id }),
          title: (row) => `round ${row.fork.number}, JVM run ${row.fork.fork}: ${time(row.value)}`,
        }),
      ],
    },
  );
}

// Iterations of a fork, and the stops of its JVM that hit one.
function iterationPlot(rows) {
  const points = rows
    .filter((row) => row.operations > 0)
    .map((row) => ({ ...row, ns: row.duration_ns / row.operations }));
  return picture(
    "Time per operation of each iteration",
    "Filled: the iterations that make the JVM run's mean. A line below a mark: the JVM was stopped during it.",
    {
      height: 260,
      x: { label: null, tickFormat: "d", inset: 10 },
      y: timeAxis(points.map((row) => row.ns)),
      marks: [
        Plot.tickX(
          points.filter((row) => row.pause_ms > 0),
          { x: "iteration", stroke: "var(--mark)", insetTop: 215 },
        ),
        Plot.dot(points, {
          x: "iteration",
          y: "ns",
          r: 3.5,
          stroke: "var(--c0)",
          fill: (row) => (row.measured === "TRUE" ? "var(--c0)" : "var(--paper)"),
          title: (row) => `iteration ${row.iteration}: ${time(row.ns)}`,
        }),
      ],
    },
  );
}
