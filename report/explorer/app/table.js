// Tables by columns: lists of numbers, or the texts that occur and for each row which. Missing numbers are null.

class Table {
  constructor(packed) {
    this.length = packed.rows;
    this.columns = packed.columns;
    this.names = Object.keys(packed.columns);
  }
  value(name, row) {
    const column = this.columns[name];
    if (!column) return null;
    return Array.isArray(column) ? column[row] : column.levels[column.codes[row]];
  }
  isNumber(name) {
    return Array.isArray(this.columns[name]);
  }
  row(index) {
    return Object.fromEntries(this.names.map((name) => [name, this.value(name, index)]));
  }
  rows() {
    return Array.from({ length: this.length }, (_, index) => this.row(index));
  }
}

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/;
const NAMES = new Set(
  "experiment environment round image_id machine_id cell workload protocol provider cpu_profile variant".split(" "),
);

// A table from the text of a CSV file, by the rule of jcarerun/explorer/tidy.py. Throws where rows differ in length.
function tableOfCsv(text, file) {
  const [head, ...rows] = d3.csvParseRows(text);
  if (!head || rows.some((row) => row.length !== head.length)) throw new Error(`${file} is no whole table`);
  const columns = {};
  head.forEach((name, place) => {
    const values = rows.map((row) => row[place]);
    const named = NAMES.has(name) || name.startsWith("factor.");
    if (!named && values.some(Boolean) && values.every((value) => !value || NUMBER.test(value))) {
      columns[name] = values.map((value) => (value ? Number(value) : null));
    } else {
      const levels = [...new Set(values)];
      const codes = new Map(levels.map((level, code) => [level, code]));
      columns[name] = { levels, codes: values.map((value) => codes.get(value)) };
    }
  });
  return new Table({ rows: rows.length, columns });
}

// Rows of a table that has fork_row, sorted by it, as fork -> [first, behind the last].
function spans(table) {
  const found = new Map();
  const forks = table.columns.fork_row || [];
  let first = 0;
  for (let row = 1; row <= forks.length; row += 1) {
    if (row === forks.length || forks[row] !== forks[first]) {
      found.set(forks[first], [first, row]);
      first = row;
    }
  }
  return found;
}
