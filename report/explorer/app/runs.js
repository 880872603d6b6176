// Another run beside this one: from its report.html, or from its tables, which never leave this machine.

const MOST_BYTES = 64 * 2 ** 20;

async function runOfFiles(files, name) {
  if (files.some((file) => file.size > MOST_BYTES)) throw new Error("a file has more than 64 MB");
  const page = files.find((file) => file.name.endsWith(".html"));
  // A page that is parsed so runs none of its scripts, and loads nothing.
  if (page) return runOfPage(new DOMParser().parseFromString(await page.text(), "text/html"), name);
  const main = {};
  for (const file of files.filter((each) => each.name.endsWith(".csv"))) {
    main[file.name.replace(/\.csv$/, "")] = tableOfCsv(await file.text(), file.name);
  }
  for (const needed of ["cells", "forks"]) {
    if (!main[needed])
      throw new Error(`${needed}.csv is missing: choose it together with the others, or the run's report.html`);
  }
  for (const [table, columns] of [
    ["cells", [...CELL, "measure", "mean_ns"]],
    ["forks", [...CELL, "round", "fork", "valid", "wall_ns_per_op", "stage", "looks"]],
  ]) {
    const lacking = columns.filter((column) => !main[table].names.includes(column));
    if (lacking.length)
      throw new Error(`${table}.csv has no column ${lacking.join(", ")}: it is no table of data/tidy`);
  }
  const definitions = files.find((file) => file.name === "definitions.json");
  if (definitions) main.run = JSON.parse(await definitions.text());
  return new Run(name, main, {});
}

function receiveRuns(added, told) {
  const take = async (files) => {
    if (!files.length) return;
    try {
      added(await runOfFiles([...files], `other: ${files[0].name.endsWith(".html") ? files[0].name : "tables"}`));
    } catch (problem) {
      told(`It was not taken: ${problem.message}`);
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
