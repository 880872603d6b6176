// A table that can be sorted and filtered, by Tabulator: filters and order stand in the address, arrow keys go from
// row to row.

// A filter of texts finds a part, or a level as a whole; one of numbers takes >, < or = and a number, of times with
// a unit.
const SCALE = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
function matchText(wanted, value, levels) {
  const [want, have] = [wanted.trim().toLowerCase(), String(value ?? "").toLowerCase()];
  return levels.has(want) ? have === want : have.includes(want);
}
function matchNumber(wanted, value, name) {
  const found = /^\s*(<=|>=|<|>|=)?\s*(-?[0-9.]+(?:e-?[0-9]+)?)\s*(ns|us|µs|ms|s|%)?\s*$/i.exec(wanted);
  if (!found) return true;
  if (value === null || value === undefined) return false;
  const own = /_ms$/.test(name) ? 1e6 : 1;
  const limit =
    Number(found[2]) *
    (found[3] === "%" ? (/share$/.test(name) ? 0.01 : 1) : found[3] ? SCALE[found[3].toLowerCase()] / own : 1);
  const near = Math.abs(value - limit) <= 1e-9 * Math.abs(limit);
  return { "<": value < limit, ">": value > limit, "<=": value <= limit, ">=": value >= limit }[found[1]] ?? near;
}

// Told rather than measured: a browser takes seconds to measure thousands of cells.
function widthOf(head, shown, numeric) {
  const longest = numeric ? 11 : shown.reduce((most, text) => Math.max(most, text.length), 0);
  return Math.round(Math.min(Math.max(longest * 7.2, head.length * 7.4 + 22) + 14, 340));
}

function columnOf({ name, title, cell, format }, rows) {
  const numeric = rows.some((row) => typeof row[name] === "number");
  const texts = numeric ? [] : [...new Set(rows.map((row) => String(row[name] ?? "")))];
  const levels = new Set(texts.map((text) => text.toLowerCase()));
  const listed = !numeric && levels.size <= 60 ? `levels-${name}` : null;
  const head = title || plainName(name);
  const shown = cell ? rows.slice(0, 500).map((row) => String(row.name ?? row[name] ?? "")) : texts;
  return {
    // A button, so that keys sort too: its click is the heading's.
    field: name,
    title: head,
    titleFormatter: () => make("button", { type: "button", class: "head" }, head),
    headerTooltip: name,
    // Paper is not that wide: factors stand in `setting` too, and reasons on a fork's own page.
    print: !/^factor\.|_why$|^(round|cell|jdk|system|machine_id)$/.test(name),
    width: widthOf(head, shown, numeric),
    hozAlign: numeric ? "right" : "left",
    sorter: numeric ? "number" : "string",
    sorterParams: { alignEmptyValues: "bottom" },
    formatter: (drawn) => {
      const row = drawn.getRow().getData();
      if (cell) return cell(row);
      const value = row[name];
      const element =
        typeof value === "number" ? number(value, format || formatOf(name)) : document.createTextNode(value ?? "");
      return make("span", {}, element);
    },
    headerFilter: "input",
    headerFilterPlaceholder: numeric ? "> <" : "",
    headerFilterParams: {
      elementAttributes: { "aria-label": `filter by ${head}`, ...(listed ? { list: listed } : {}) },
    },
    headerFilterFunc: (wanted, value) =>
      numeric ? matchNumber(wanted, value, name) : matchText(wanted, value, levels),
    listed: listed ? [listed, texts] : null,
  };
}

function moveBy(table, event) {
  const step = { ArrowDown: "getNextRow", ArrowUp: "getPrevRow" }[event.key];
  const element = event.target.closest(".tabulator-row");
  if (!step || !element) return;
  event.preventDefault();
  const next = table
    .getRows("visible")
    .find((row) => row.getElement() === element)
    ?.[step]();
  if (!next) return;
  const focus = () => next.getElement().querySelector("a")?.focus({ preventScroll: true });
  table.scrollToRow(next, "nearest", false).then(focus, focus);
}

// Draw rows ({ id, ... }) in `place`; `counted` is told how many are left after filters. Resolves when it is built.
function grid(place, rows, columns, label, counted) {
  const { keys } = address.read();
  const made = columns.map((column) => columnOf(column, rows));
  for (const { listed } of made) {
    if (listed)
      place.append(
        make(
          "datalist",
          { id: listed[0] },
          listed[1].map((value) => make("option", { value })),
        ),
      );
  }
  const holder = make("div", { "aria-label": label });
  place.append(holder);
  const sort = keys.get("sort");
  const table = new Tabulator(holder, {
    data: rows,
    index: "id",
    height: Math.min(560, 75 + 24 * Math.max(rows.length, 3)),
    layout: "fitData",
    renderHorizontal: "virtual",
    nestedFieldSeparator: false,
    columns: made.map(({ listed, ...column }) => column),
    printAsHtml: true,
    printRowRange: "active",
    rowHeight: 24,
    placeholder: rows.length ? "No row is left: clear a filter." : "There is none.",
    initialSort: sort ? [{ column: sort.replace(/^-/, ""), dir: sort.startsWith("-") ? "desc" : "asc" }] : [],
    initialHeaderFilter: [...keys]
      .filter(([key]) => key.startsWith("f."))
      .map(([key, value]) => ({ field: key.slice(2), value })),
  });
  return new Promise((built) => {
    table.on("tableBuilt", () => {
      holder.addEventListener("keydown", (event) => moveBy(table, event));
      table.on("dataFiltered", (_, left) => {
        const filters = Object.fromEntries(columns.map(({ name }) => [`f.${name}`, ""]));
        table.getHeaderFilters().forEach(({ field, value }) => {
          filters[`f.${field}`] = value;
        });
        address.replace(filters);
        counted(left.length);
      });
      table.on("dataSorted", (sorters) => {
        if (sorters.length) address.replace({ sort: `${sorters[0].dir === "desc" ? "-" : ""}${sorters[0].field}` });
      });
      counted(table.getDataCount("active"));
      built(table);
    });
  });
}
