// The page: draws what the address says, whenever it changes.

const at = (id) => document.getElementById(id);
const runs = [];
let drawn = null;
let opened = null;

function drawViews(view) {
  at("views").replaceChildren(
    ...Object.entries(VIEWS).map(([name, each]) =>
      make("a", { href: address.of(name, {}), "aria-current": name === view ? "page" : null }, each.title),
    ),
  );
}

// All of an address but what is open: what a view is drawn from.
const drawnBy = (view, keys) =>
  [
    view,
    runs.length,
    ...[...keys]
      .filter(([key]) => key !== "open")
      .sort()
      .flat(),
  ].join("\n");

async function drawView(view) {
  at("title").textContent = VIEWS[view].title;
  at("about").textContent = VIEWS[view].about;
  at("count").textContent = "";
  at("controls").replaceChildren();
  const place = make("div");
  at("view").replaceChildren(place);
  await VIEWS[view].draw(place, at("controls"), runs, (text) => {
    at("count").textContent = text;
  });
}

async function drawDetail(id) {
  const detail = at("detail");
  if (!id) {
    detail.hidden = true;
    return;
  }
  const parts = await pageOf(runs[0], id);
  detail.hidden = false;
  detail.replaceChildren(
    ...(parts ?? [make("h2", { tabindex: "-1" }, `This run has no ${id}`)]),
    make("p", {}, opens("", "Close")),
  );
  detail.dataset.shows = id;
  if (opened !== null) {
    detail.querySelector("h2").focus();
    detail.scrollIntoView();
  }
}

async function draw() {
  const { view: asked, keys } = address.read();
  const view = VIEWS[asked] ? asked : "claims";
  drawViews(view);
  const wanted = drawnBy(view, keys);
  if (wanted !== drawn) {
    drawn = wanted;
    await drawView(view);
  }
  const open = keys.get("open") || "";
  if (open !== opened) {
    await drawDetail(open);
    opened = open;
  } else if (open) {
    at("detail").hidden = false;
  }
  document.documentElement.dataset.ready = `${view} ${open}`;
}

// Draws one after the other, so that the last address is what stands there in the end; what fails is said.
let last = Promise.resolve();
function drawNext() {
  delete document.documentElement.dataset.ready;
  last = last.then(draw).catch((problem) => {
    at("count").textContent = `This can't be drawn: ${problem.message}`;
    document.documentElement.dataset.ready = "failed";
  });
}

async function start() {
  const run = await runOfPage(document, "this report");
  runs.push(run);
  const { tier, engine, seed } = run.about.settings;
  at("run").textContent = [
    `Tier ${tier}, engine ${engine}, seed ${seed}`,
    `${run.forks.length} forks of ${run.forksOf.size} cells`,
    `measured ${run.about.measured.map((each) => each.slice(0, 16).replace("T", " ")).join(" to ")} UTC`,
  ].join("; ");
  receiveRuns(
    (other) => {
      runs.splice(1, 1, other);
      drawn = null;
      at("told").textContent = `${other.forks.length} forks of ${other.cells.length} rows of cells were taken.`;
      window.location.hash = address.of("compare", { by: "run", a: run.name, b: other.name });
      drawNext();
    },
    (words) => {
      at("told").textContent = words;
    },
  );
  at("skip").addEventListener("click", (event) => {
    event.preventDefault();
    (at("view").querySelector(".tabulator-row a") ?? at("main")).focus();
  });
  // Filters and order that were typed are drawn already.
  address.replaced = () => {
    const { view, keys } = address.read();
    drawn = drawnBy(view, keys);
  };
  document.addEventListener("click", (event) => {
    const followed = event.target.closest?.("a[data-open]");
    if (!followed || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    window.location.hash = address.with({ open: followed.dataset.open });
  });
  window.addEventListener("hashchange", drawNext);
  drawNext();
}

start().catch((problem) => {
  at("about").textContent = `This page's tables can't be read here: ${problem.message}`;
  document.documentElement.dataset.ready = "failed";
});
