// Claims: every claim in its own words, what the study published, and what this run says under each protocol; then a
// claim's page, which leads to its verdicts, and a verdict's, which leads to its contrasts and both cells.

// The verdicts on a claim under one protocol in short: each word with how many variants it is of, and the values.
function summaryOf(run, claim, verdicts) {
  const decided = verdicts.filter((row) => kindOf(row.verdict) !== "none");
  const shown = decided.length ? decided : verdicts;
  const counts = d3.sort(
    d3.groups(shown, (row) => row.verdict),
    ([, rows]) => -rows.length,
  );
  const valued = shown.filter((row) => row.estimate !== null);
  const format = valued.length ? estimateFormat(run, valued[0]) : digits;
  const [low, high] = [d3.least(valued, (row) => row.estimate), d3.greatest(valued, (row) => row.estimate)];
  const left = verdicts.length - shown.length;
  return [
    make(
      "span",
      { class: "chips" },
      counts.map(([verdict, rows]) => chip(verdict, shown.length > 1 ? `${rows.length}` : "")),
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
  const named = d3.group(run.claims, (claim) => claim.claim);
  const ordered = [...run.claims].sort((one, two) => LABEL_ORDER(one.claim, two.claim));
  const rows = ordered.map((claim) => {
    const verdicts = run.verdictsOf.get(claim.id) ?? [];
    const cells = protocols.map((protocol) => {
      const own = verdicts.filter((row) => row.protocol === protocol || !row.protocol);
      const summary = own.length ? summaryOf(run, claim, own) : make("span", { class: "soft" }, "–");
      return make("td", { "data-head": said(protocol) }, summary);
    });
    const { study, title } = run.experiment(claim.experiment);
    const about = named.get(claim.claim).length > 1 ? make("small", title) : null;
    const sentence = [opens(claim.id, claim.claim), " ", make("span", { class: "sentence" }, claim.text), about];
    const element = make(
      "tr",
      make("th", { scope: "row" }, sentence),
      make("td", { "data-head": "published" }, claim.published),
      cells,
    );
    const found = ["claim", "text", "published", "experiment"].map((name) => claim[name]);
    const words = [...found, ...verdicts.map((row) => said(row.verdict))].join(" ").toLowerCase();
    return { element, study, name: claim.claim, words };
  });
  const studies = d3.groups(rows, (row) => row.study);
  const bodies = studies.map(([study, own]) => {
    const about = run.about.experiments.find((each) => each.study === study) ?? {};
    const head = make(
      "th",
      { scope: "rowgroup", colspan: protocols.length + 2 },
      listed([about.authors, about.year]) || study,
    );
    const elements = own.map((row) => row.element);
    return { body: make("tbody", make("tr", { class: "study" }, head), elements), own };
  });
  const search = (text) => {
    const wanted = text.trim().toLowerCase();
    for (const row of rows) row.element.hidden = !row.words.includes(wanted);
    for (const { body, own } of bodies) body.hidden = own.every((row) => row.element.hidden);
    const all = claimsIn(rows);
    const left = claimsIn(rows.filter((row) => !row.element.hidden));
    counted(
      `${left === all ? "" : `${left} of `}${plural(all, "claim")} of ${plural(studies.length, "study", "studies")}. ` +
        "A number beside a verdict counts variants of the claim.",
    );
  };
  controls.append(searchBox("search claims", search));
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
  search(searched());
}

const limits = (row) =>
  `${typeof row.target_lower === "number" ? digits(row.target_lower) : "any"} to ` +
  `${typeof row.target_upper === "number" ? digits(row.target_upper) : "any"}`;
const whereOf = (run, row) => listed([said(row.protocol), row.environment_label, profileName(run, row.cpu_profile)]);
const variantOf = (row) => row.variant.replaceAll("=", " ");
const MOST_VARIANTS = 24;

// The values of a claim's verdicts with the study's, where they are of one kind.
function claimPlots(run, claim, verdicts) {
  const valued = verdicts
    .map((verdict) => ({ verdict, decisive: run.decisive.get(verdict.contrast) }))
    .filter(({ verdict, decisive }) => decisive && verdict.estimate !== null);
  const kinds = d3.groups(valued, ({ decisive }) =>
    [isRatio(decisive, claim.form) ? "ratio" : decisive.measure, limits(decisive)].join("\n"),
  );
  return kinds.slice(0, 6).map(([, rows]) => {
    const { decisive } = rows[0];
    const ratio = isRatio(decisive, claim.form);
    const log = ratio && rows.every(({ verdict }) => verdict.estimate > 0);
    const shown = d3.sort(
      rows,
      ({ verdict }) => verdict.protocol,
      ({ verdict }) => verdict.estimate,
    );
    // Many variants share one line for each protocol.
    const many = rows.length > MOST_VARIANTS;
    const parts = [variantOf, (row) => row.environment_label, (row) => profileName(run, row.cpu_profile)].filter(
      (part) => uniques(rows, ({ verdict }) => part(verdict)) > 1,
    );
    const label = (verdict) => listed([...parts.map((part) => part(verdict)), said(verdict.protocol)]);
    const format = estimateFormat(run, rows[0].verdict);
    return dotPlot(
      shown.map(({ verdict }) => ({
        key: many ? verdict.protocol : verdict.id,
        label: many ? said(verdict.protocol) : label(verdict),
        value: verdict.estimate,
        lower: verdict.lower,
        upper: verdict.upper,
        colour: protocolColour(verdict.protocol),
        symbol: isWarm(verdict.protocol) ? d3.symbolCircle : d3.symbolSquare,
        hollow: unproven(verdict),
        open: verdict.id,
      })),
      {
        label: `Values of claim ${claim.claim} with 95 % intervals`,
        caption: [
          many ? `A mark for each of ${rows.length} variants.` : "",
          `Shaded: where the claim holds (${limits(decisive)}).`,
          "Square: as published; circle: warmed up; open: warm-up unproven. A mark leads to its verdict.",
        ].join(" "),
        axis: ratio ? `ratio${log ? ", logarithmic" : ""}` : titleOf(decisive.measure.replaceAll(".", " ")),
        log,
        format: log ? short : (value) => digits(value, 2),
        title: format,
        band: [decisive.target_lower ?? -Infinity, decisive.target_upper ?? Infinity],
        marks: claim.published_value
          ? [{ x: claim.published_value, label: `published: ${short(claim.published_value)}` }]
          : [],
      },
    );
  });
}

async function claimPage(run, claim) {
  const verdicts = run.verdictsOf.get(claim.id) ?? [];
  const experiment = run.experiment(claim.experiment);
  const judged = d3.sort(verdicts, (row) => kindOf(row.verdict) === "none");
  return [
    make("h2", { tabindex: "-1" }, `${claim.claim}: ${claim.text}`),
    facts({
      study: listed([experiment.authors, experiment.year, experiment.title]),
      where: claim.place,
      published: claim.published,
      ...Object.fromEntries(
        d3
          .groups(verdicts, (row) => row.protocol)
          .map(([protocol, rows]) => [
            said(protocol) || "verdict",
            make("span", { class: "summary" }, summaryOf(run, claim, rows)),
          ]),
      ),
    }),
    ...claimPlots(run, claim, verdicts),
    plain(
      "Verdicts on it",
      [
        { head: "verdict", cell: (row) => opens(row.id, chip(row.verdict)) },
        {
          head: "value",
          cell: (row) => estimate(row.estimate, row.lower, row.upper, estimateFormat(run, row)),
          number: true,
        },
        { head: "variant", cell: variantOf },
        { head: "where", cell: (row) => whereOf(run, row) },
        { head: "fewest JVM runs", cell: (row) => number(row.forks_min, String), number: true },
        { head: "reason", cell: (row) => row.reason },
      ],
      judged,
      true,
    ),
  ];
}

async function verdictPage(run, verdict) {
  const claim = run.claims.find((each) => each.id === idOfClaim(verdict)) ?? {};
  const position = run.verdicts.indexOf(verdict);
  const contrasts = run.contrasts.filter((row) => row.verdict_row === position);
  const decisive = run.decisive.get(verdict.contrast);
  const cells = await run.cells();
  const sides = decisive
    ? ["numerator", "denominator"].map((side) => [side, cells[decisive[`${side}_row`]]]).filter(([, cell]) => cell)
    : [];
  const format = estimateFormat(run, verdict);
  const value = (row, name) => number(row[name], row.denominator ? digits : valueOf(row.measure));
  return [
    make("h2", { tabindex: "-1" }, `${verdict.claim}: `, chip(verdict.verdict)),
    make("p", opens(idOfClaim(verdict), claim.text ?? verdict.claim)),
    make("p", verdict.reason),
    facts({
      value: verdict.estimate === null ? "" : estimate(verdict.estimate, verdict.lower, verdict.upper, format),
      "holds from": decisive ? limits(decisive) : "",
      published: claim.published,
      "undecided because": verdict.verdict === "undecided" ? said(verdict.cause) : "",
      "direction, against the study's": verdict.direction,
      "size, against the study's": verdict.size,
      "JVM runs that would decide": number(verdict.forks_needed, String),
      "p, after Holm": verdict.p === null ? "" : make("span", number(verdict.p), ", ", number(verdict.p_holm)),
      "Holm's family": verdict.p === null ? "" : `${verdict.family}: ${verdict.family_tests} tests`,
      "fewest JVM runs of a benchmark": number(verdict.forks_min, String),
      "warm-up": said(verdict.warm_up_state),
      "would change if times were wrong by a factor of": number(verdict.tipping_factor),
      covers: verdict.covers,
      caveat: verdict.caveat,
      variant: variantOf(verdict),
      where: whereOf(run, verdict),
      "by hand": `jca-rerun trace ${verdict.id}`,
    }),
    plainIfAny(
      "What it was judged on",
      [
        { head: "contrast", cell: (row) => row.contrast + (row.contrast === verdict.contrast ? ", decisive" : "") },
        { head: "of", cell: (row) => row.scope },
        { head: "A", cell: (row) => row.numerator },
        { head: "B", cell: (row) => row.denominator },
        { head: "A / B, or value", cell: (row) => value(row, "ratio"), number: true },
        {
          head: "95 % interval",
          cell: (row) => make("span", span(row.lower, row.upper, row.denominator ? digits : valueOf(row.measure))),
          number: true,
        },
        { head: "holds from", cell: limits },
        { head: "method", cell: (row) => row.method },
        { head: "warm-up", cell: (row) => said(row.warm_up_state) },
      ],
      contrasts,
    ),
    ...(
      await Promise.all(
        sides.map(([side, cell]) => forksPart(run, cell, `${side === "numerator" ? "A" : "B"}: ${decisive[side]}`)),
      )
    ).flat(),
  ].filter(Boolean);
}
