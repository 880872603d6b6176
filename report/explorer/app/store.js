// A run: its tables, and what of one leads to another. `main` is read at once, the other blocks when they are asked
// for.

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const idOfFork = (fork) => `fork:${fork.experiment}/${fork.environment}/${fork.round}/${fork.fork}`;
const CELL = ["experiment", "environment", "image_id", "machine_id", "cell"];
const keyOf = (row, names) => names.map((name) => row[name]).join("\n");
const idOfCell = (row) => `cell:${row.experiment}/${row.environment}/${row.machine_id}/${row.cell}`;

class Run {
  constructor(name, main, blocks) {
    this.name = name;
    this.about = main.run || { settings: {}, experiments: [], environments: [], measured: [] };
    this.blocks = blocks;
    this.loaded = new Map();
    this.tables = Object.fromEntries(
      Object.entries(main)
        .filter(([key]) => key !== "run")
        .map(([key, packed]) => [key, packed instanceof Table ? packed : new Table(packed)]),
    );
    const environments = new Map(this.about.environments.map((each) => [each.id, each]));
    const placed = (row) => {
      const known = environments.get(row.environment);
      return { ...row, system: known ? known.system : "", jdk: known ? known.jdk_id : "" };
    };
    const rows = (table) => (this.tables[table] ? this.tables[table].rows() : []);
    this.forks = rows("forks").map((fork, place) => placed({ ...fork, place, id: idOfFork(fork) }));
    this.cells = rows("cells").map((cell) => placed({ ...cell, id: `${idOfCell(cell)}/${cell.measure}` }));
    this.verdicts = rows("verdicts").map((row) => ({ ...row, id: row.verdict_id }));
    this.contrasts = rows("contrasts");
    this.ratios = rows("ratios");
    this.observed = rows("observed_means");
    this.notes = rows("notes");
    this.rounds = new Map(rows("rounds").map((row) => [keyOf(row, ["experiment", "environment", "round"]), row]));
    this.forksOf = d3.group(this.forks, (fork) => keyOf(fork, CELL));
    this.confidence = this.about.settings.confidence || 0.95;
  }

  // The tables of a block, once. A run from CSV files has none of them.
  async block(name) {
    if (!this.loaded.has(name)) {
      const packed = this.blocks[name] ? await unpack(this.blocks[name]) : {};
      const tables = Object.fromEntries(
        Object.entries(packed).map(([key, each]) => {
          const table = new Table(each);
          table.spans = spans(table);
          return [key, table];
        }),
      );
      this.loaded.set(name, tables);
    }
    return this.loaded.get(name);
  }

  // The rows of a table of a block that belong to a fork.
  async within(block, table, fork) {
    const found = (await this.block(block))[table];
    const [first, last] = (found && found.spans.get(fork.place)) || [0, 0];
    return d3.range(first, last).map((row) => found.row(row));
  }

  experiment(id) {
    return this.about.experiments.find((each) => each.id === id) || { id, title: id, claims: {} };
  }

  // The forks of a cell that count, with their value of a measure, stage, looks and block; `between`: of two
  // environments.
  async valuesOf(cell, measure, between) {
    const forks = (this.forksOf.get(keyOf(cell, CELL)) || []).filter((fork) => fork.valid === "TRUE");
    const columns = { wall: "wall_ns_per_op", cpu: "cpu_ns_per_op" };
    const block = (fork) => (between ? fork.number : fork.round);
    const found = await Promise.all(
      forks.map(async (fork) => {
        const value = columns[measure]
          ? fork[columns[measure]]
          : ((await this.within("inside", "observed", fork)).find((row) => row.measure === measure) || {}).value;
        return { fork, value, stage: fork.stage, looks: fork.looks, block: block(fork) };
      }),
    );
    return found.filter((each) => each.value !== null && each.value !== undefined);
  }
}

const blocksIn = (page) =>
  Object.fromEntries(
    [...page.querySelectorAll("script[data-block]")].map((element) => [element.dataset.block, element.textContent]),
  );

// The run that a page holds. Throws where it holds none.
async function runOfPage(page, name) {
  const { main, ...blocks } = blocksIn(page);
  if (!main) throw new Error(`${name} holds no run's tables`);
  return new Run(name, await unpack(main), blocks);
}
