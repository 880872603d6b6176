// What is chosen: it stands in the address, and a choice offers what is left after those before it.

// The address keeps the state: #view?open=...&sort=...&f.column=...; what is there is what is shown.
const address = {
  read() {
    const [view, query] = window.location.hash.replace(/^#/, "").split("?");
    return { view: view || "claims", keys: new URLSearchParams(query || "") };
  },
  // The address of a view with keys; empty ones are left out.
  of(view, keys) {
    const query = new URLSearchParams(Object.entries(keys).filter(([, value]) => value !== "" && value != null));
    const text = query.toString();
    return `#${view}${text ? `?${text}` : ""}`;
  },
  // The present address with some keys changed.
  with(changes) {
    const { view, keys } = address.read();
    return address.of(view, { ...Object.fromEntries(keys), ...changes });
  },
  go(changes) {
    window.location.hash = address.with(changes);
  },
  // Changed in place: filters and searches are no steps to go back by.
  replace(changes) {
    window.history.replaceState(null, "", address.with(changes));
    address.replaced();
  },
  replaced() {},
};

const LABEL_ORDER = (a, b) => a.localeCompare(b, "en", { numeric: true });

// Rows that the address's choices leave. A dimension is { name, label, value(row), text(level, rows),
// detail(row) of levels with the same text, prefer(rows, level) }: where the address asks for no level that exists, the
// one with the highest `prefer` is taken.
function pick(controls, rows, dimensions) {
  const { keys } = address.read();
  let left = rows;
  for (const { name, label, value, text, detail, prefer } of dimensions) {
    const groups = d3.group(left, value);
    const levels = [...groups.keys()];
    if (!levels.length) break;
    const asked = keys.get(name);
    const chosen = groups.has(asked) ? asked : d3.greatest(levels, (level) => prefer?.(groups.get(level), level) ?? 0);
    if (levels.length > 1) {
      const texts = new Map(levels.map((level) => [level, text ? text(level, groups.get(level)) : said(level)]));
      const repeated = d3.rollup(texts.values(), (same) => same.length > 1, String);
      const shown = levels.map((level) => {
        const [row] = groups.get(level);
        return [level, texts.get(level) + (detail && repeated.get(texts.get(level)) ? ` (${detail(row)})` : "")];
      });
      shown.sort(([, a], [, b]) => LABEL_ORDER(a, b));
      controls.append(choice(label, shown, chosen, (level) => address.go({ [name]: level, open: "" })));
    }
    left = groups.get(chosen);
  }
  return left;
}

const uniques = (rows, value) => new Set(rows.map(value)).size;
// Rows of groups in which something varies.
const varying = (rows, group, value) =>
  d3
    .groups(rows, group)
    .filter(([, own]) => uniques(own, value) > 1)
    .flatMap(([, own]) => own);
// The conditions of a measurement in one choice: protocol, CPU class and clock.
const conditionsOf = (run) => ({
  name: "conditions",
  label: "conditions",
  value: (row) => [row.protocol, row.cpu_profile, row.measure].join("/"),
  text: (_, [row]) => listed([said(row.protocol), profileName(run, row.cpu_profile), said(row.measure)]),
  prefer: (rows, level) =>
    100 * uniques(rows, (row) => row.provider) +
    isWarm(level.split("/")[0]) * 4 +
    /native/.test(level) * 2 +
    /wall/.test(level),
});
const environmentOf = (run) => ({
  name: "environment",
  label: "JDK and system",
  value: (row) => [row.environment, row.image_id, row.machine_id].join(" "),
  text: (_, [row]) => row.environment_label,
  detail: (row) => `machine ${row.machine_id}, image ${row.image_id.slice(7, 15)}`,
  prefer: (rows) =>
    1000 * uniques(rows, (row) => row.provider) + (run.environments.get(rows[0].environment)?.java ?? 0),
});
const operationChoice = (run, but, prefer) => ({
  name: "operation",
  label: "operation",
  value: (row) => [row.experiment, operationOf(row, but)].join("/"),
  text: (_, [row]) => operationOf(row, but),
  detail: (row) => run.experiment(row.experiment).title,
  prefer,
});
// One of several views in a view, by its key in the address; `texts` are what they are called, by name.
function pickView(controls, view, key, texts, usual) {
  const asked = address.read().keys.get(key);
  const chosen = asked in texts ? asked : usual;
  const changed = (name) => {
    window.location.hash = address.of(view, { [key]: name });
  };
  controls.append(choice(key, Object.entries(texts), chosen, changed));
  return chosen;
}
