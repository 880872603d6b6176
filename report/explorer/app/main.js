// The page: draws what the address says, whenever it changes.

const VIEWS = {
  claims: [
    "Claims",
    "What the studies claimed, what they published, and what this run says under each protocol. A claim leads to its " +
      "values, their benchmarks and every JVM run.",
    showHome,
  ],
  choose: ["Choose", "All providers at one operation: which is the fastest, and by how much.", showChoose],
  compare: [
    "Compare",
    "Ratios of benchmarks that differ in one respect, measured on one machine, with 95 % intervals.",
    showCompare,
  ],
  trends: [
    "Trends",
    "How times change with the JDK and with size, and how far results are from what was published.",
    showTrends,
  ],
  data: ["Data", "The run's tables: search, sort, choose columns, download.", showData],
};
const at = (id) => document.getElementById(id);
const write = (id, text) => {
  at(id).textContent = text;
};
const runs = [];
let drawn = null;
let opened = null;
let left = 0;

// All of an address but what is open: what a view is drawn from.
function drawnBy(view, keys) {
  const others = [...keys].filter(([key]) => key !== "open").sort();
  return [view, runs.length, ...others.flat()].join("\n");
}

async function drawView(view) {
  const [title, about, draw] = VIEWS[view];
  for (const [id, text] of Object.entries({ title, about, count: "" })) write(id, text);
  at("controls").replaceChildren();
  const place = make("div");
  at("view").replaceChildren(place);
  await draw(place, at("controls"), runs, (text) => write("count", text));
}

// The elements of what an id names, or null.
async function pageOf(run, id) {
  const kinds = {
    fork: [() => run.forks(), forkPage],
    cell: [() => run.cells(), cellPage],
    claim: [() => run.claims, claimPage],
  };
  const [rowsOf, page] = kinds[id.split(":")[0]] ?? [() => run.verdicts, verdictPage];
  const row = (await rowsOf()).find((each) => each.id === id);
  return row ? page(run, row) : null;
}

// What is open takes the view's place, so that a link leads to its top.
async function drawDetail(view, id) {
  const detail = at("detail");
  const from = opened;
  if (!from && id) left = window.scrollY;
  at("overview").hidden = Boolean(id);
  detail.hidden = !id;
  if (!id) {
    window.scrollTo(0, left);
    return;
  }
  detail.replaceChildren(make("p", opens("", `← ${VIEWS[view][0]}`)));
  const parts = await pageOf(runs[0], id);
  detail.append(...(parts ?? [make("h2", { tabindex: "-1" }, `This run has no ${id}`)]));
  window.scrollTo(0, 0);
  if (from !== null) detail.querySelector("h2").focus();
}

async function draw() {
  const { view: asked, keys } = address.read();
  const view = VIEWS[asked] ? asked : "claims";
  const links = Object.entries(VIEWS).map(([name, [title]]) =>
    make("a", { href: address.of(name, {}), "aria-current": name === view ? "page" : null }, title),
  );
  at("views").replaceChildren(...links);
  const wanted = drawnBy(view, keys);
  const open = keys.get("open") || "";
  if (wanted !== drawn && !open) {
    drawn = wanted;
    at("overview").hidden = false;
    await drawView(view);
  }
  if (open !== opened) await drawDetail(view, open);
  opened = open;
  document.documentElement.dataset.ready = `${view} ${open}`;
}

// Draws one after the other, so that the last address is what is shown in the end. A failure is written on the page.
let last = Promise.resolve();
function drawNext() {
  delete document.documentElement.dataset.ready;
  last = last.then(draw).catch((problem) => {
    at("overview").hidden = false;
    write("count", `This can't be drawn: ${problem.message}`);
    document.documentElement.dataset.ready = "failed";
  });
}

// Light or dark: the system's, or what the switch chose.
function startTheme() {
  const root = document.documentElement;
  const isDark = () =>
    (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const show = () => write("theme", isDark() ? "Light colours" : "Dark colours");
  at("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
}

async function start() {
  startTheme();
  const run = await runOfPage(document, "this report");
  runs.push(run);
  const { settings, measured, forks, cells } = run.about;
  const times = measured.map((each) => each.slice(0, 16).replace("T", " ")).join(" to ");
  const settingWords = `tier ${settings.tier}, engine ${settings.engine}, seed ${settings.seed}`;
  write("run", `${forks} JVM runs of ${cells} benchmarks; measured ${times} UTC; ${settingWords}`);
  receiveRuns(
    (other) => {
      runs.splice(1, 1, other);
      drawn = null;
      write("message", `${other.name} was read.`);
      window.location.hash = address.of("compare", { by: "run" });
      drawNext();
    },
    (words) => write("message", words),
  );
  at("skip").addEventListener("click", (event) => {
    event.preventDefault();
    (at("view").querySelector("a") ?? at("main")).focus();
  });
  // A search or filter that was typed is drawn already.
  address.replaced = () => {
    const { view, keys } = address.read();
    drawn = drawnBy(view, keys);
  };
  document.addEventListener("click", (event) => {
    const followed = event.target.closest?.("a[data-open]");
    if (!followed || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    address.go({ open: followed.dataset.open });
  });
  let width = room();
  window.addEventListener("resize", () => {
    if (room() === width) return;
    width = room();
    drawn = null;
    opened = null;
    drawNext();
  });
  window.addEventListener("hashchange", drawNext);
  drawNext();
}

start().catch((problem) => {
  write("about", `This page's tables can't be read here: ${problem.message}`);
  document.documentElement.dataset.ready = "failed";
});
