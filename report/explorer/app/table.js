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
  row(index) {
    return Object.fromEntries(this.names.map((name) => [name, this.value(name, index)]));
  }
  rows() {
    return Array.from({ length: this.length }, (_, index) => this.row(index));
  }
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
