// Numbers, names and elements. Every number on the page is a <data> element whose value is the table's own, all digits.

const UNITS = [
  ["s", 1e9],
  ["ms", 1e6],
  ["µs", 1e3],
  ["ns", 1],
];
const digits = (value, most = 3) => {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(most - 1);
  return size >= 10 ** most ? String(Math.round(value)) : value.toPrecision(most);
};
function time(ns) {
  const [unit, factor] = UNITS.find(([, each]) => Math.abs(ns) >= each) || UNITS[3];
  return `${digits(ns / factor)} ${unit}`;
}
// `1 pair`, `2 pairs`; the noun of many is given where it is not the noun with an s.
const plural = (count, noun, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;
// What there is of some parts, with commas between them.
const listed = (parts, between = ", ") => parts.filter(Boolean).join(between);
// A label of an axis: no more digits than it needs.
const short = (value) => String(Number(value.toPrecision(6)));
function shortTime(ns) {
  const [unit, factor] = UNITS.find(([, each]) => Math.abs(ns) >= 0.9999 * each) || UNITS[3];
  return `${short(ns / factor)} ${unit}`;
}

// What a column's numbers are: its name ends with its unit.
function formatOf(name) {
  if (/_ns$|_ns_per_op/.test(name)) return time;
  if (/_ms$/.test(name)) return (value) => time(value * 1e6);
  if (/share$/.test(name)) return (value) => `${digits(100 * value)} %`;
  if (/_pct$/.test(name)) return (value) => `${digits(value)} %`;
  return (value) => (Number.isInteger(value) ? String(value) : digits(value));
}
// Times of one measure, plain numbers of another.
const isTime = (measure) => measure === "wall" || measure === "cpu";
const valueOf = (measure) => (isTime(measure) ? time : (value) => digits(value));

// Words of the tables that a reader knows by another name.
const SAID = {
  "steady-state": "warmed up",
  "as-published": "as published",
  "other-size": "right direction, other size",
  opposite: "opposite direction",
  "does-not-hold": "does not hold",
  "not-comparable": "not comparable",
  "not-testable": "not testable",
  "not-measured": "not measured",
  wall: "wall-clock time",
  cpu: "CPU time",
  TRUE: "yes",
  FALSE: "no",
};
const said = (value) => SAID[value] ?? value ?? "";
const isWarm = (protocol) => said(protocol) === "warmed up";
const unproven = (row) => ["unproven", "still compiling"].includes(row.warm_up_state);

// Names of columns; one that is not here is shown with spaces for its underscores.
const TITLES = {
  cause: "undecided because",
  cpu_ns_per_op: "CPU time per operation",
  cpu_profile: "CPU class",
  denominator: "B",
  dimension: "differ in",
  estimate: "value",
  fork: "number",
  forks: "JVM runs",
  forks_min: "fewest JVM runs",
  forks_needed: "JVM runs that would decide",
  form: "form of the claim",
  gc_ms: "collecting garbage",
  gc_share: "time in garbage collection",
  half_width_pct: "half-width of the interval",
  invalid_cause: "disturbed by",
  involuntary_per_s: "involuntary switches per second",
  jdk: "JDK",
  jit_ms: "compiling",
  lower: "95 % from",
  lower_ns: "95 % from",
  machine_id: "machine",
  mean_ns: "mean time",
  measured_iterations: "iterations that count",
  number: "round number",
  numerator: "A",
  others_share: "CPU of other processes",
  p_holm: "p, after Holm",
  pause_ms: "stopped for",
  reached: "wanted width reached",
  sd_between_ns: "sd between JVM runs",
  sd_within_ns: "sd within a JVM run",
  setting: "operation",
  warm_up_state: "warm-up",
  warm_up_why: "warm-up, why",
  spin_ratio: "speed of a fixed loop",
  steal_share: "CPU stolen by the host",
  steady: "steady state",
  system: "operating system",
  upper: "95 % to",
  upper_ns: "95 % to",
  uptime_ms: "at uptime",
  valid: "counts",
  wall_ns_per_op: "time per operation",
  worker_cpu_ns: "CPU time",
  wanted_half_width_pct: "wanted half-width",
};
const titleOf = (name) =>
  TITLES[name] ??
  name
    .replace(/^factor\./, "")
    .replace(/_(ns|ms|pct)$/, "")
    .replaceAll(/[-_]/g, " ");

// An element; attributes may be left out. Texts become text, never markup.
function make(tag, ...parts) {
  const element = document.createElement(tag);
  const attributes = parts[0]?.constructor === Object ? parts.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "click") element.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...parts.flat(3).filter((part) => part !== null && part !== undefined));
  return element;
}
const button = (text, click) => make("button", { type: "button", click }, text);
// A link that opens a claim, verdict, cell or fork.
const opens = (id, ...children) => make("a", { href: address.with({ open: id }), "data-open": id }, ...children);
function number(value, format = digits) {
  if (value === null || value === undefined || value === "") return "";
  return make("data", { value: String(value), title: String(value) }, format(value));
}
function span(lower, upper, format = digits) {
  return typeof lower !== "number" || typeof upper !== "number"
    ? ""
    : ["[", number(lower, format), ", ", number(upper, format), "]"];
}
// A value with its interval.
const estimate = (value, lower, upper, format) =>
  make("span", { class: "estimate" }, number(value, format), " ", make("small", span(lower, upper, format)));

// The mean of a benchmark, as pictures take it and as tables show it.
const meanOf = (cell) => ({ value: cell.mean_ns, lower: cell.lower_ns, upper: cell.upper_ns });
const meanWords = (cell) => estimate(cell.mean_ns, cell.lower_ns, cell.upper_ns, time);

// Whether a verdict's value is a ratio of two benchmarks, which a logarithmic axis shows best.
const isRatio = (decisive, form) => Boolean(decisive.denominator) && !/^difference/.test(form);

// A claim without benchmarks in a run is not measured there; it is not impossible to measure.
const verdictOf = (row) =>
  row.verdict === "not-testable" && row.cause === "not measured" ? "not-measured" : row.verdict;

// A verdict in its colour and its word; a word that is not known here is grey.
const VERDICT_KINDS = [
  ["good", /^holds/],
  ["half", /^other-size/],
  ["bad", /^(opposite|does-not-hold)/],
  ["open", /^undecided/],
];
const kindOf = (verdict) => VERDICT_KINDS.find(([, words]) => words.test(verdict))?.[0] ?? "none";
const chip = (verdict, count = "") =>
  make("span", { class: `chip ${kindOf(verdict)}` }, `${said(verdict)}${count ? ` ${count}` : ""}`);

// A list of terms; those without a value are left out.
const facts = (pairs) =>
  make(
    "dl",
    Object.entries(pairs)
      .filter(([, value]) => value !== "" && value !== null && value !== undefined)
      .flatMap(([term, value]) => [make("dt", term), make("dd", value)]),
  );

// A plain table: columns are { head, cell(row), number }. On a phone each row is a card.
function plain(caption, columns, rows, long = false) {
  const body = rows.map((row) =>
    make(
      "tr",
      columns.map(({ head, cell, number: right }) =>
        make("td", { class: right ? "number" : null, "data-head": head }, cell(row)),
      ),
    ),
  );
  const heads = columns.map(({ head }) => make("th", { scope: "col" }, head));
  const parts = [make("caption", caption), make("thead", make("tr", heads)), make("tbody", body)];
  const table = make("table", { class: "plain" }, parts);
  return long ? make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table) : table;
}
// The same, long, or null where there are no rows.
const plainIfAny = (caption, columns, rows) => (rows.length ? plain(caption, columns, rows, true) : null);

// A <select> with its label; values are [value, text].
function choice(label, values, chosen, changed) {
  const options = values.map(([value, text]) => make("option", { value, selected: value === chosen }, text ?? value));
  const select = make("select", options);
  select.addEventListener("change", () => changed(select.value));
  return make("label", label, select);
}
// A search whose text stands in the address; what is there at first is drawn by whoever asks for the box.
const searched = () => address.read().keys.get("search") ?? "";
function searchBox(label, changed) {
  const box = make("input", { type: "search", value: searched() });
  box.addEventListener("input", () => {
    address.replace({ search: box.value });
    changed(box.value);
  });
  return make("label", label, box);
}

const factorsOf = (row) => Object.keys(row).filter((name) => name.startsWith("factor.") && row[name]);
// What workloads and levels are called, by factor; the run that opens brings them.
let calledBy = {};
const levelWords = (factor, level) => calledBy[factor]?.[level] ?? level;
const gateNames = () => Object.keys(calledBy.gate ?? {});
function disturbedBy(fork) {
  const gates = fork.invalid_cause.split(";").map((gate) => levelWords("gate", gate));
  return `no: disturbed ${gates.join(" and ")}`;
}
// The operation of a cell: its workload and levels, without those of the factors in `but`.
function operationOf(row, but = []) {
  const levels = factorsOf(row)
    .filter((name) => !but.includes(name))
    .map((name) => levelWords(name.replace(/^factor\./, ""), row[name]));
  return listed([levelWords("workload", row.workload), levels.join(", ")], ": ");
}
const providerName = (run, id) => run.about.providers?.[id] ?? id;
// The CPU class; empty for the machine's own.
const profileName = (run, id) => (id === "native" ? "" : (run.about.cpu_profiles?.[id] ?? id));
const cellWords = (run, row) =>
  listed([
    operationOf(row),
    providerName(run, row.provider),
    said(row.protocol),
    profileName(run, row.cpu_profile),
    row.environment_label,
  ]);
