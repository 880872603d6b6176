// Cells as a table of two of their columns; where several fall together the page says how many, and leads to them.

const PIVOT = [
  "experiment",
  "workload",
  "provider",
  "environment",
  "system",
  "jdk",
  "cpu_profile",
  "protocol",
  "measure",
  "settled",
];

function showPivot(place, controls, run, counted) {
  const names = [...PIVOT, ...new Set(run.cells.flatMap(factorsOf))];
  const levelsOf = (name, cells = run.cells) => [...new Set(cells.map((cell) => cell[name] ?? ""))].sort();
  const { keys } = address.read();
  const useful = names.filter((name) => levelsOf(name).length > 1);
  const rowsBy = keys.get("rows") || (useful.includes("workload") ? "workload" : useful[0] || "workload");
  const columnsBy = keys.get("columns") || useful.find((name) => name !== rowsBy) || "provider";
  const go = (changes) => {
    window.location.hash = address.with(changes);
  };
  controls.append(
    choice(
      "rows",
      useful.map((name) => [name, plainName(name)]),
      rowsBy,
      (value) => go({ rows: value }),
    ),
    choice(
      "columns",
      useful.map((name) => [name, plainName(name)]),
      columnsBy,
      (value) => go({ columns: value }),
    ),
  );
  let cells = run.cells;
  for (const name of useful.filter((each) => each !== rowsBy && each !== columnsBy)) {
    const levels = levelsOf(name, cells);
    const asked = keys.get(`f.${name}`);
    const chosen = levels.includes(asked) ? asked : "";
    if (levels.length < 2 && !chosen) continue;
    controls.append(
      choice(plainName(name), [["", "all"], ...levels.filter(Boolean).map((level) => [level])], chosen, (value) =>
        go({ [`f.${name}`]: value }),
      ),
    );
    if (chosen) cells = cells.filter((cell) => cell[name] === chosen);
  }
  counted(`${cells.length} of ${run.cells.length} cells; means over forks, with 95 % intervals`);
  const groups = d3.group(
    cells,
    (cell) => cell[rowsBy] ?? "",
    (cell) => cell[columnsBy] ?? "",
  );
  const columns = levelsOf(columnsBy, cells);
  const shown = (found, row, column) => {
    if (!found) return "";
    if (found.length > 1) {
      return link(
        address.of("cells", {
          ...Object.fromEntries([...keys].filter(([key]) => key.startsWith("f."))),
          [`f.${rowsBy}`]: row,
          [`f.${columnsBy}`]: column,
        }),
        `${found.length} cells`,
      );
    }
    const [cell] = found;
    return make(
      "span",
      { class: /not|still/.test(cell.settled) ? "unsettled" : null },
      opens(cell.id, number(cell.mean_ns, time)),
      " ",
      span(cell.lower_ns, cell.upper_ns, time),
    );
  };
  place.append(
    plain(
      `${plainName(rowsBy)} by ${plainName(columnsBy)}`,
      [
        { head: plainName(rowsBy), cell: ([row]) => row || "none" },
        ...columns.map((column) => ({
          head: column || "none",
          number: true,
          cell: ([row, found]) => shown(found.get(column), row, column),
        })),
      ],
      [...groups].sort(([a], [b]) => (a < b ? -1 : 1)),
      true,
    ),
  );
}
