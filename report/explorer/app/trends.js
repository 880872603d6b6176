// Trends: time by JDK, time by size, and what the studies published against what this run measured.

const BYTES = { B: 1, BYTES: 1, KB: 1024, MB: 1024 ** 2 };
function bytesOf(size) {
  const found = /^([\d.]+) ?(b|bytes|kb|mb)$/i.exec(size);
  return found ? Number(found[1]) * BYTES[found[2].toUpperCase()] : null;
}
const sizeWords = (bytes) =>
  bytes >= BYTES.MB
    ? `${short(bytes / BYTES.MB)} MB`
    : bytes >= BYTES.KB
      ? `${short(bytes / BYTES.KB)} KB`
      : `${bytes} B`;

const TRENDS = { jdk: "time by JDK", size: "time by size", published: "published against ours" };

async function showTrends(place, controls, [run], counted) {
  const draw = { jdk: drawByJdk, size: drawBySize, published: drawPublished };
  await draw[pickView(controls, "trends", "trend", TRENDS, "jdk")](place, controls, run, counted);
}

// Lines of all providers over x, and the numbers in a table.
function drawLines(place, run, rows, { what, x, xOf, wordsOf, counted, head }) {
  const points = d3
    .sort(rows, (row) => row.position)
    .map((row) => ({
      x: xOf(row),
      said: wordsOf(row),
      series: providerName(run, row.provider),
      ...meanOf(row),
      hollow: unproven(row),
      open: row.id,
      row,
      ...providerStyle(run, row.provider),
    }));
  const [first] = rows;
  const series = d3.groups(points, (point) => point.series);
  counted(`${what}: ${plural(series.length, "provider")}.`);
  place.append(
    legend(series.map(([name, [point]]) => [name, point])),
    linePlot(points, {
      label: `${what}, a line for each provider`,
      caption: "Mean over JVM runs with its 95 % interval. Open: warm-up unproven. A mark leads to its benchmark.",
      x,
      y: `${said(first.measure)}, logarithmic`,
    }),
    plain(
      "The same in numbers",
      [
        { head, cell: (point) => point.said },
        { head: "provider", cell: (point) => opens(point.open, point.series) },
        { head: "time", cell: (point) => meanWords(point.row), number: true },
        { head: "JVM runs", cell: (point) => number(point.row.forks, String), number: true },
        { head: "warm-up", cell: (point) => said(point.row.warm_up_state) },
      ],
      points,
      true,
    ),
  );
}

// What benchmarks must share for a line to go through them.
const LIKE = ["experiment", "provider", "protocol", "cpu_profile", "measure"];

async function drawByJdk(place, controls, run, counted) {
  const order = (row) => [run.environments.get(row.environment)?.java ?? 0, row.jdk, row.environment_label];
  const most = (rows) => 100 * uniques(rows, (row) => row.jdk) + uniques(rows, (row) => row.provider);
  const like = (row) => operationOf(row) + keyOf(row, LIKE);
  const left = pick(
    controls,
    varying(await run.cells(), like, (row) => row.environment_label),
    [operationChoice(run, [], most), conditionsOf(run)],
  );
  if (!left.length) {
    counted("This run measured no operation on two JDKs or systems.");
    return;
  }
  const ordered = left
    .map((row) => ({ row, key: order(row) }))
    .sort((one, two) => one.key[0] - two.key[0] || LABEL_ORDER(one.key.join(), two.key.join()))
    .map(({ row }, position) => ({ ...row, position }));
  const label = (row) => listed([row.jdk, run.environments.get(row.environment)?.os]) || row.environment;
  drawLines(place, run, ordered, {
    what: `${operationOf(left[0])}, by JDK and system`,
    x: { type: "point", domain: [...new Set(ordered.map(label))], label: null, padding: 0.4 },
    xOf: label,
    wordsOf: label,
    head: "JDK and system",
    counted,
  });
}

async function drawBySize(place, controls, run, counted) {
  const cells = (await run.cells()).filter((row) => bytesOf(sizeOf(row)));
  const sizes = (rows) => uniques(rows, sizeOf);
  const like = (row) => operationOf(row, SIZES) + keyOf(row, [...LIKE, "environment", "image_id", "machine_id"]);
  const left = pick(controls, varying(cells, like, sizeOf), [
    operationChoice(run, SIZES, sizes),
    { ...environmentOf(run), prefer: sizes },
    conditionsOf(run),
  ]);
  if (!left.length) {
    counted("This run measured no operation at two sizes.");
    return;
  }
  const ordered = left.map((row) => ({ ...row, position: bytesOf(sizeOf(row)) }));
  const ticks = [...new Set(ordered.map((row) => row.position))];
  drawLines(place, run, ordered, {
    what: `${operationOf(left[0], SIZES)}, by size, on ${left[0].environment_label}`,
    x: { type: "log", ticks, format: sizeWords, label: "size, logarithmic", inset: 16, axis: null },
    xOf: (row) => row.position,
    wordsOf: sizeOf,
    head: "size",
    counted,
  });
}

// The numbers that studies printed for ratios, with what this run measured of the same.
async function drawPublished(place, controls, run, counted) {
  const claims = run.claims
    .map((claim) => ({
      claim,
      rows: (run.verdictsOf.get(claim.id) ?? []).filter(
        (row) => row.estimate > 0 && isRatio(run.decisive.get(row.contrast) ?? {}, claim.form),
      ),
    }))
    .filter(({ claim, rows }) => claim.published_value > 0 && rows.length);
  if (!claims.length) {
    counted("No claim of this run has both a published ratio and one of ours.");
    return;
  }
  const styles = {
    published: { colour: "var(--mark)", symbol: d3.symbolDiamond },
    "as published": { colour: protocolColour("as-published"), symbol: d3.symbolSquare },
    "warmed up": { colour: protocolColour("steady-state"), symbol: d3.symbolCircle },
  };
  const label = ({ claim, text }) => `${claim}: ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`;
  const points = claims.flatMap(({ claim, rows }) => [
    { key: claim.id, label: label(claim), value: claim.published_value, open: claim.id, ...styles.published },
    ...rows.map((row) => ({
      key: claim.id,
      label: label(claim),
      value: row.estimate,
      lower: row.lower,
      upper: row.upper,
      open: row.id,
      hollow: unproven(row),
      ...(styles[said(row.protocol)] ?? styles["as published"]),
    })),
  ]);
  counted(`${claims.length} claims have a ratio that the study printed and one of ours.`);
  place.append(
    legend(Object.entries(styles)),
    dotPlot(points, {
      label: "Published ratios and ours",
      caption:
        "Ours with 95 % intervals, one for each variant; open: warm-up unproven. Further from the diamond: less alike.",
      axis: "ratio, logarithmic",
      title: digits,
    }),
    plain(
      "The same in words",
      [
        { head: "claim", cell: ({ claim }) => [opens(claim.id, claim.claim), ` ${claim.text}`] },
        { head: "published", cell: ({ claim }) => claim.published },
        ...["as published", "warmed up"].map((protocol) => ({
          head: protocol,
          cell: ({ claim, rows }) => {
            const own = rows.filter((row) => said(row.protocol) === protocol);
            return make("span", { class: "summary" }, own.length ? summaryOf(run, claim, own) : "–");
          },
        })),
      ],
      claims,
    ),
  );
}
