// A table that can be searched, sorted, filtered and downloaded, by Tabulator; on a phone, cards. What is chosen stands
// in the address; arrow keys go from row to row and from heading to heading.

const MOST_CARDS = 50;
const CARD_COLUMNS = 7;

// A filter of texts finds a part, or a level as a whole; one of numbers takes >, < or = and a number, of times with
// a unit.
const SCALE = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
function matchText(wanted, value, levels) {
  const [want, have] = [wanted.trim().toLowerCase(), said(value).toLowerCase()];
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

// Guessed, not measured: a browser takes seconds to measure thousands of cells.
function widthOf(head, shown, numeric) {
  const longest = numeric ? 11 : shown.reduce((most, text) => Math.max(most, text.length), 0);
  return Math.round(Math.min(Math.max(longest * 7.2, head.length * 7.4 + 22) + 14, 250));
}

const textOf = (value) => (value === null || value === undefined ? "" : String(said(value)));
function shownCell({ name, cell, format }, row) {
  if (cell) return cell(row);
  const value = row[name];
  return typeof value === "number" ? number(value, format || formatOf(name)) : textOf(value);
}

function columnOf(column, rows, filters) {
  const { name, title, cell } = column;
  const numeric = rows.some((row) => typeof row[name] === "number");
  const texts = numeric ? [] : [...new Set(rows.map((row) => textOf(row[name])))];
  const levels = new Set(texts.map((text) => text.toLowerCase()));
  const head = title || titleOf(name);
  // A verdict's word stands in a frame.
  const frame = name === "verdict" ? 24 : 0;
  const shown = cell ? rows.slice(0, 500).map((row) => textOf(row[name] ?? row.name)) : texts;
  return {
    field: name,
    title: head,
    // A button, so that keys sort too: its click is the heading's.
    titleFormatter: () => make("button", { type: "button", class: "head", tabindex: "-1" }, head),
    headerTooltip: name,
    width: widthOf(head, shown, numeric) + frame,
    hozAlign: numeric ? "right" : "left",
    sorter: numeric ? "number" : "string",
    sorterParams: { alignEmptyValues: "bottom" },
    formatter: (drawn) => make("span", shownCell(column, drawn.getRow().getData())),
    ...(filters && {
      headerFilter: "input",
      headerFilterPlaceholder: numeric ? "> <" : "",
      headerFilterParams: { elementAttributes: { "aria-label": `filter by ${head}` } },
      headerFilterFunc: (wanted, value) =>
        numeric ? matchNumber(wanted, value, name) : matchText(wanted, value, levels),
    }),
  };
}

function moveBy(table, event) {
  const heading = event.target.closest("button.head");
  if (heading && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    const all = [...table.element.querySelectorAll("button.head")];
    const next = all[all.indexOf(heading) + (event.key === "ArrowRight" ? 1 : -1)];
    if (next) {
      heading.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
    return;
  }
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

// Every column that rows have: the usual ones, then the rest; and which of them are shown. A table without rows has the
// usual ones.
function columnsOf(rows, usual) {
  const filled = new Set(
    rows.flatMap((row) => Object.keys(row).filter((name) => !["", null, undefined].includes(row[name]))),
  );
  const plainValue = (name) =>
    typeof rows.find((row) => row[name] !== null && row[name] !== undefined)?.[name] !== "object";
  const rest = [...filled].filter(
    (name) => name !== "id" && plainValue(name) && !usual.some((each) => each.name === name),
  );
  const all = [
    ...usual.filter(({ name, cell }) => cell || filled.has(name) || !rows.length),
    ...rest.map((name) => ({ name })),
  ];
  const asked = address.read().keys.get("columns")?.split(",");
  const shown = all.filter((column) => (asked ? asked.includes(column.name) : usual.includes(column)));
  return { all, shown: shown.length ? shown : all.slice(0, 1) };
}

function searchOf(columns) {
  const texts = new Map();
  const textFor = (row) => columns.map(({ name }) => textOf(row[name]).toLowerCase()).join("\n");
  return (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return (row) => {
      if (!texts.has(row)) texts.set(row, textFor(row));
      return words.every((word) => texts.get(row).includes(word));
    };
  };
}

// Draw rows ({ id, ... }) in `place`; `counted` gets the number that filters leave. Resolves when it is built.
function grid(place, rows, usual, label, counted) {
  const { keys } = address.read();
  const { all, shown } = columnsOf(rows, usual);
  const matching = searchOf(all);
  const asked = searched();
  if (narrow()) return cards(place, rows, shown, matching, counted);
  const filters = keys.has("filters") || [...keys.keys()].some((key) => key.startsWith("f."));
  const holder = make("div", { "aria-label": label });
  const sort = keys.get("sort");
  let table = null;
  const boxes = all.map((column) => {
    const box = make("input", { type: "checkbox", value: column.name, checked: shown.includes(column) });
    return make("label", box, column.title || titleOf(column.name));
  });
  const filterSwitch = filters
    ? button("Remove the filters", () => address.go({ ...noFilters(all), filters: "" }))
    : button("Filter by column", () => address.go({ filters: "on" }));
  const columnsChosen = () => {
    const checked = boxes.map((box) => box.firstChild).filter((box) => box.checked);
    address.go({ columns: checked.map((box) => box.value).join(",") });
  };
  const download = button("Download as CSV", () => table.download("csv", `${label.toLowerCase()}.csv`));
  const tools = make(
    "details",
    { class: "tools" },
    make("summary", "Columns, filters, download"),
    make("p", download, " ", filterSwitch),
    make("fieldset", make("legend", "Columns"), boxes, button("Show these", columnsChosen)),
  );
  place.append(
    make(
      "div",
      { class: "toolbar" },
      searchBox("search", (text) => table.setFilter(matching(text))),
      tools,
    ),
    holder,
  );
  table = new Tabulator(holder, {
    data: rows,
    index: "id",
    height: Math.min(560, (filters ? 75 : 48) + 24 * Math.max(rows.length, 3)),
    layout: "fitData",
    nestedFieldSeparator: false,
    columns: shown.map((column) => columnOf(column, rows, filters)),
    printAsHtml: true,
    printRowRange: "active",
    rowHeight: 24,
    placeholder: rows.length ? "No row is left: clear a filter." : "There are no rows.",
    initialSort: sort ? [{ column: sort.replace(/^-/, ""), dir: sort.startsWith("-") ? "desc" : "asc" }] : [],
    initialFilter: asked ? [matching(asked)].map((field) => ({ field })) : [],
    initialHeaderFilter: [...keys]
      .filter(([key]) => filters && key.startsWith("f."))
      .map(([key, value]) => ({ field: key.slice(2), value })),
  });
  return new Promise((built) => {
    table.on("tableBuilt", () => {
      holder.querySelector("button.head").tabIndex = 0;
      holder.addEventListener("keydown", (event) => moveBy(table, event));
      table.on("dataFiltered", (_, left) => {
        const values = table.getHeaderFilters().map(({ field, value }) => [`f.${field}`, value]);
        if (filters) address.replace({ ...noFilters(all), ...Object.fromEntries(values) });
        counted(left.length);
      });
      table.on("dataSorted", (sorters) => {
        if (sorters.length) address.replace({ sort: `${sorters[0].dir === "desc" ? "-" : ""}${sorters[0].field}` });
      });
      if (asked) table.setFilter(matching(asked));
      counted(table.getDataCount("active"));
      built(table);
    });
  });
}
const noFilters = (columns) => Object.fromEntries(columns.map(({ name }) => [`f.${name}`, ""]));

// Rows as cards, as many as fit a phone's patience; the search finds the others.
function cards(place, rows, columns, matching, counted) {
  const list = make("div", { class: "cards" });
  let most = MOST_CARDS;
  let wanted = searched();
  const partOf = (row) => (column, position) => {
    const value = shownCell(column, row);
    if (value === "") return null;
    if (!position) return make("h3", value);
    return make("p", make("span", { class: "soft" }, `${column.title || titleOf(column.name)} `), value);
  };
  const more = button("Show more", () => draw(most + MOST_CARDS));
  function draw(number_) {
    most = number_;
    const left = rows.filter(matching(wanted));
    list.replaceChildren(
      ...left.slice(0, most).map((row) => make("article", columns.slice(0, CARD_COLUMNS).map(partOf(row)))),
    );
    more.hidden = left.length <= most;
    counted(left.length);
  }
  place.append(
    searchBox("search", (text) => {
      wanted = text;
      draw(MOST_CARDS);
    }),
    list,
    more,
  );
  draw(most);
}
