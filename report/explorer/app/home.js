// Home: every claim in its own words, what the study published, and what this run says under each protocol.

// The verdicts on a claim under one protocol in short: each word with how many variants it is of, and the values.
function summaryOf(run, claim, verdicts) {
  const decided = verdicts.filter((row) => kindOf(row.verdict) !== "none");
  const shown = decided.length ? decided : verdicts;
  const counts = d3.sort(
    d3.rollups(
      shown,
      (rows) => rows.length,
      (row) => row.verdict,
    ),
    ([, count]) => -count,
  );
  const valued = shown.filter((row) => row.estimate !== null);
  const format = valued.length ? estimateFormat(run, valued[0]) : digits;
  const [low, high] = [d3.least(valued, (row) => row.estimate), d3.greatest(valued, (row) => row.estimate)];
  const left = verdicts.length - shown.length;
  return [
    make(
      "span",
      { class: "chips" },
      counts.map(([verdict, count]) => chip(verdict, shown.length > 1 ? `${count}` : "")),
    ),
    valued.length === 1 ? estimate(low.estimate, low.lower, low.upper, format) : null,
    valued.length > 1
      ? make(
          "span",
          number(low.estimate, format),
          " to ",
          number(high.estimate, format),
          make("small", ` in ${valued.length}`),
        )
      : null,
    left && decided.length ? make("small", `${left} not tested`) : null,
  ];
}

// How the value of a verdict is written: a time, or the ratio or share that the claim is about.
function estimateFormat(run, verdict) {
  const decisive = run.decisive.get(verdict.contrast);
  return decisive && !decisive.denominator ? valueOf(decisive.measure) : digits;
}

// How many claims rows are of: C12a and C12b are parts of one, and experiments of one study may share a claim.
function claimsIn(rows) {
  return new Set(rows.map((row) => `${row.study} ${row.name.replace(/[a-z]$/, "")}`)).size;
}

async function showHome(place, controls, runs, counted) {
  const [run] = runs;
  if (!run.claims.length) {
    counted("This run has no claims: see Choose, Compare and Data.");
    return;
  }
  const declared = run.about.experiments.flatMap((each) => each.protocols);
  const measured = new Set(run.verdicts.map((row) => row.protocol).filter(Boolean));
  const protocols = [...new Set([...declared, ...measured])].filter((each) => measured.has(each));
  const repeated = d3.rollup(
    run.claims,
    (same) => same.length > 1,
    (claim) => claim.claim,
  );
  const ordered = [...run.claims].sort((one, two) => LABEL_ORDER(one.claim, two.claim));
  const rows = ordered.map((claim) => {
    const verdicts = run.verdictsOf.get(claim.id) ?? [];
    const cells = protocols.map((protocol) => {
      const own = verdicts.filter((row) => row.protocol === protocol || !row.protocol);
      return make(
        "td",
        { "data-head": said(protocol) },
        own.length ? summaryOf(run, claim, own) : make("span", { class: "soft" }, "–"),
      );
    });
    const about = repeated.get(claim.claim) ? make("small", run.experiment(claim.experiment).title) : null;
    const element = make(
      "tr",
      make(
        "th",
        { scope: "row" },
        opens(claim.id, claim.claim),
        " ",
        make("span", { class: "sentence" }, claim.text),
        about,
      ),
      make("td", { "data-head": "published" }, claim.published),
      cells,
    );
    const words = [
      claim.claim,
      claim.text,
      claim.published,
      claim.experiment,
      ...verdicts.map((row) => said(row.verdict)),
    ];
    const { study } = run.experiment(claim.experiment);
    return { element, study, name: claim.claim, words: words.join(" ").toLowerCase() };
  });
  const studies = d3.groups(rows, (row) => row.study);
  const bodies = studies.map(([study, own]) => {
    const about = run.about.experiments.find((each) => each.study === study) ?? {};
    const head = make(
      "th",
      { scope: "rowgroup", colspan: protocols.length + 2 },
      [about.authors, about.year].filter(Boolean).join(", ") || study,
    );
    return {
      body: make(
        "tbody",
        make("tr", { class: "study" }, head),
        own.map((row) => row.element),
      ),
      own,
    };
  });
  const search = (text) => {
    const wanted = text.trim().toLowerCase();
    for (const row of rows) row.element.hidden = !row.words.includes(wanted);
    for (const { body, own } of bodies) body.hidden = own.every((row) => row.element.hidden);
    const all = claimsIn(rows);
    const left = claimsIn(rows.filter((row) => !row.element.hidden));
    counted(
      `${left === all ? "" : `${left} of `}${all} ${all === 1 ? "claim" : "claims"} of ${studies.length} ` +
        `${studies.length === 1 ? "study" : "studies"}. A number beside a verdict counts variants of the claim.`,
    );
  };
  const asked = address.read().keys.get("search") ?? "";
  controls.append(
    searchBox("search claims", asked, (text) => {
      address.replace({ search: text });
      search(text);
    }),
  );
  const heads = ["claim", "published", ...protocols.map(said)].map((head) => make("th", { scope: "col" }, head));
  place.append(
    make(
      "table",
      { class: "matrix" },
      make("caption", { class: "away" }, "Claims and their verdicts"),
      make("thead", make("tr", heads)),
      bodies.map(({ body }) => body),
    ),
  );
  search(asked);
}
