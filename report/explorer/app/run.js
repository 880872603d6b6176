// A run: its tables, and what of one leads to another. Blocks other than `main` are read when a view needs them.

// A table by columns: lists of numbers, or the texts that occur and for each row which. Missing numbers are null.
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

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const CELL = ["experiment", "environment", "image_id", "machine_id", "cell"];
const keyOf = (row, names) => names.map((name) => row[name]).join("\n");
const idOfFork = (fork) => `fork:${fork.experiment}/${fork.environment}/${fork.round}/${fork.fork}`;
const idOfCell = (row) => `cell:${row.experiment}/${row.environment}/${row.machine_id}/${row.cell}/${row.measure}`;
const idOfClaim = (row) => `claim:${row.experiment}/${row.claim}`;
const EMPTY = { settings: {}, experiments: [], environments: [], providers: {}, cpu_profiles: {}, measured: [] };

class Run {
  constructor(name, blocks) {
    this.name = name;
    this.blocks = blocks;
    this.loaded = new Map();
  }

  async open() {
    const main = await this.block("main");
    this.about = { ...EMPTY, ...main.run };
    calledBy = this.about.words ?? {};
    this.environments = new Map(this.about.environments.map((each) => [each.id, each]));
    this.claims = (await this.rowsOf("main", "claims")).map((row) => ({ ...row, id: idOfClaim(row) }));
    this.verdicts = (await this.rowsOf("main", "verdicts")).map((row) =>
      this.placed({ ...row, verdict: verdictOf(row), id: row.verdict_id }),
    );
    this.contrasts = await this.rowsOf("main", "contrasts");
    this.verdictsOf = d3.group(this.verdicts, idOfClaim);
    this.decisive = new Map(this.contrasts.map((row) => [row.contrast, row]));
    return this;
  }

  once(name, made) {
    if (!this.loaded.has(name)) this.loaded.set(name, made());
    return this.loaded.get(name);
  }
  // The tables of a block.
  block(name) {
    return this.once(name, async () => {
      const packed = this.blocks[name] ? await unpack(this.blocks[name]) : {};
      const entries = Object.entries(packed).map(([key, each]) => [key, key === "run" ? each : new Table(each)]);
      return Object.fromEntries(entries);
    });
  }
  // The rows of a table of a block; none where the page lacks it.
  async rowsOf(block, table) {
    return (await this.block(block))[table]?.rows() ?? [];
  }

  // A row with the names of its environment.
  placed(row) {
    const known = this.environments.get(row.environment);
    row.system = known?.system ?? "";
    row.jdk = known?.jdk ?? "";
    row.environment_label = known?.label ?? row.environment;
    return row;
  }

  cells() {
    return this.once("cell rows", async () =>
      (await this.rowsOf("cells", "cells")).map((cell) => this.placed({ ...cell, id: idOfCell(cell) })),
    );
  }
  // Pairs of cells that differ in one respect: { pair, one, two }.
  pairs() {
    return this.once("pair rows", async () => {
      const [cells, pairs] = await Promise.all([this.cells(), this.rowsOf("cells", "pairs")]);
      return pairs.map((pair) => ({ pair, one: cells[pair.numerator_row], two: cells[pair.denominator_row] }));
    });
  }
  forks() {
    return this.once("fork rows", async () =>
      (await this.rowsOf("forks", "forks")).map((fork, position) =>
        this.placed({ ...fork, position, id: idOfFork(fork) }),
      ),
    );
  }
  forksByCell() {
    return this.once("forks by cell", async () => d3.group(await this.forks(), (fork) => keyOf(fork, CELL)));
  }

  // The rows of a table of a block that belong to a fork.
  async within(block, name, fork) {
    const table = (await this.block(block))[name];
    if (!table) return [];
    table.spans ??= spans(table);
    const [first, last] = table.spans.get(fork.position) || [0, 0];
    return d3.range(first, last).map((row) => table.row(row));
  }

  experiment(id) {
    return this.about.experiments.find((each) => each.id === id) || { id, title: id, study: id, protocols: [] };
  }
}

// The run that a page holds. Throws where it holds none.
async function runOfPage(page, name) {
  const elements = [...page.querySelectorAll("script[data-block]")];
  const blocks = Object.fromEntries(elements.map((element) => [element.dataset.block, element.textContent]));
  if (!blocks.main) throw new Error(`${name} holds no run's tables`);
  return new Run(name, blocks).open();
}

// Another run beside this one: from its report.html, which never leaves this machine.
const MOST_BYTES = 64 * 2 ** 20;

async function runOfFile(file) {
  if (file.size > MOST_BYTES) throw new Error("it has more than 64 MB");
  // A page that is parsed so runs none of its scripts, and loads nothing.
  return runOfPage(new DOMParser().parseFromString(await file.text(), "text/html"), file.name);
}

function receiveRuns(added, failed) {
  const take = async ([file]) => {
    if (!file) return;
    try {
      added(await runOfFile(file));
    } catch (problem) {
      failed(`The file was not read: ${problem.message}`);
    }
  };
  const input = document.getElementById("files");
  input.addEventListener("change", () => take(input.files));
  const mark = (on) => document.body.classList.toggle("dropping", on);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) mark(false);
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(false);
    take(event.dataTransfer.files);
  });
}
