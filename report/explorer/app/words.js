// Numbers and elements. Every number on the page is a <data> element whose value is the table's own, all digits of it.

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

// What a column's numbers are: its name ends with its unit.
function formatOf(name) {
  if (/_ns$|_ns_per_op/.test(name)) return time;
  if (/_ms$/.test(name)) return (value) => time(value * 1e6);
  if (/share$/.test(name)) return (value) => `${digits(100 * value)} %`;
  if (/_pct$/.test(name)) return (value) => `${digits(value)} %`;
  return (value) => (Number.isInteger(value) ? String(value) : digits(value));
}
// Times of one measure, plain numbers of another.
const valueOf = (measure) => (measure === "wall" || measure === "cpu" ? time : (value) => digits(value));

// An element with attributes and children; texts become text, never markup.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") Object.entries(value).forEach(([event, listener]) => element.addEventListener(event, listener));
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}
const link = (href, ...children) => make("a", { href }, ...children);
// A link that opens a verdict, cell or fork below; where it is followed the filters that were typed since stay
// (main.js).
const opens = (id, ...children) => make("a", { href: address.with({ open: id }), "data-open": id }, ...children);
function number(value, format = digits) {
  if (value === null || value === undefined) return "";
  return make("data", { value: String(value), title: String(value) }, format(value));
}
function span(lower, upper, format = digits) {
  return lower === null || lower === undefined || upper === null
    ? ""
    : ["[", number(lower, format), ", ", number(upper, format), "]"];
}

// A list of terms; those without a value are left out.
const facts = (pairs) =>
  make(
    "dl",
    {},
    Object.entries(pairs)
      .filter(([, value]) => value !== "" && value !== null && value !== undefined)
      .flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]),
  );

// A plain table: columns are { head, cell(row), number }.
function plain(caption, columns, rows, long = false) {
  const table = make(
    "table",
    { class: "plain" },
    make("caption", {}, caption),
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        columns.map(({ head }) => make("th", { scope: "col" }, head)),
      ),
    ),
    make(
      "tbody",
      {},
      rows.map((row) =>
        make(
          "tr",
          {},
          columns.map((column) => make("td", { class: column.number ? "number" : null }, column.cell(row))),
        ),
      ),
    ),
  );
  return long ? make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table) : table;
}

// A <select> with its label.
function choice(label, values, chosen, changed) {
  const select = make(
    "select",
    { on: { change: (event) => changed(event.target.value) } },
    values.map(([value, text]) => make("option", { value, selected: value === chosen }, text ?? value)),
  );
  return make("label", {}, label, select);
}
const factorsOf = (row) => Object.keys(row).filter((name) => name.startsWith("factor.") && row[name] !== "");
// A column's name in words; units stand with the numbers.
const plainName = (name) =>
  name
    .replace(/^factor\./, "")
    .replace(/_ns_per_op/, " time")
    .replace(/_(ns|ms|pct)$/, "")
    .replaceAll("_", " ");
const cellWords = (row) =>
  [
    row.workload,
    ...factorsOf(row).map((name) => row[name]),
    row.provider,
    row.protocol,
    row.cpu_profile,
    row.environment,
  ].join(", ");
