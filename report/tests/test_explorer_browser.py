"""The explorer in a real browser: its numbers against the tables, filters, keys, a second run, print, and a large run."""

import csv
import gzip
import io
import json
import math
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from jcarerun.explorer import content, page
from report.tests import browser as browsers

pytestmark = pytest.mark.sample
APP = Path("report/explorer/app")
READY = "document.documentElement?.dataset.ready"
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
# Every row of a table that scrolls both ways: the id in its link, column to what is written there and its full value.
COLLECT = """(async () => {
  const holder = document.querySelector(".tabulator-tableholder"), found = {};
  const order = Tabulator.findTable(".tabulator")[0].getRows("active").map((row) => row.getElement());
  const pause = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 15)));
  for (let x = 0; ; x += 700) {
    holder.scrollLeft = x;
    for (let y = 0; ; y += 250) {
      holder.scrollTop = y; await pause();
      for (const row of holder.querySelectorAll(".tabulator-row")) {
        const kept = found[order.indexOf(row)] ??= {};
        for (const cell of row.querySelectorAll(".tabulator-cell")) {
          const data = cell.querySelector("data"), link = cell.querySelector("a");
          const says = { text: cell.innerText, value: data?.value ?? null, id: link?.dataset.open ?? null };
          kept[cell.getAttribute("tabulator-field")] = says;
        }
      }
      if (holder.scrollTop + holder.clientHeight >= holder.scrollHeight - 1) break;
    }
    if (holder.scrollLeft + holder.clientWidth >= holder.scrollWidth - 1) break;
  }
  return Object.values(found);
})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not browsers.program():
        pytest.fail(f"no browser: install one of {', '.join(browsers.NAMES)} (Debian: apt-get install chromium)")
    tab = browsers.Browser(tmp_path_factory.mktemp("profile"))
    yield tab
    tab.close()


@pytest.fixture(scope="module")
def tables(checkout, tmp_path_factory):
    """The sample's tidy tables, and its page, as `make report` made them; copies, as other tests make theirs anew."""
    kept = tmp_path_factory.mktemp("explorer")
    shutil.copytree(checkout.path / "data/tidy", kept / "tidy")
    shutil.copy(checkout.path / "report/report.html", kept / "report.html")
    return kept


def rows(folder, name):
    file = folder / name
    text = gzip.decompress(file.read_bytes()).decode() if name.endswith(".gz") else file.read_text()
    return list(csv.DictReader(io.StringIO(text)))


def write(folder, name, made):
    with (folder / name).open("w", newline="") as file:
        table = csv.DictWriter(file, made[0])
        table.writeheader()
        table.writerows(made)


def make(folder, out):
    """The page of tidy tables that a test changed."""
    out.write_text(page.make(content.blocks(folder, folder / "definitions.json", Path("data/sample")), "a test"))
    return out


def show(browser, file, state):
    browser.open(f"file://{file}{state}")
    assert browser.wait(READY) != "failed", browser.run("document.body.innerText")


def follow(browser, action):
    """Do something that changes the address, and wait until the page shows what is there then."""
    before = browser.run("location.hash")
    action()
    browser.wait(f"location.hash !== {json.dumps(before)} && {READY}")


def printed(text):
    """The number that a text of the page says, in ns where it is a time, and half of its last digit."""
    found = re.fullmatch(r"(-?[0-9.]+)(?:e([+-]\d+))?(?: (ns|µs|ms|s|%))?", text)
    factor = UNITS.get(found[3], 0.01 if found[3] == "%" else 1) * 10 ** int(found[2] or 0)
    # Digits after the point that the page leaves out are zeros: three are told where there are as many.
    digits = max(0, 2 - math.floor(math.log10(abs(float(found[1]))))) if float(found[1]) else 0
    return float(found[1]) * factor, 0.5 * 10**-digits * factor * 1.0001


VIEWS = {
    "claims": ("verdicts.csv", ("estimate", "lower", "upper", "p_holm", "forks_min")),
    "cells": ("cells.csv", ("mean_ns", "lower_ns", "upper_ns", "half_width_pct", "forks", "sd_between_ns")),
    "forks": ("forks.csv", ("wall_ns_per_op", "cpu_ns_per_op", "measured_iterations", "spin_ratio")),
}


@pytest.mark.parametrize("view", VIEWS)
def test_every_number_that_a_view_prints_is_its_rows(browser, tables, view):
    name, columns = VIEWS[view]
    wanted = rows(tables / "tidy", name)
    show(browser, tables / "report.html", f"#{view}")
    found = browser.run(COLLECT)
    assert len(found) == len(wanted)
    held = 0
    for shown, row in zip(found, wanted, strict=True):
        for column in columns:
            cell = shown[column]
            assert (cell["value"] or "") == "" if row[column] == "" else float(cell["value"]) == float(row[column])
            if row[column]:
                value, half = printed(cell["text"])
                factor = 0.01 if column.endswith("_pct") else 1
                assert value == pytest.approx(float(row[column]) * factor, abs=max(half, 1e-12)), (column, cell)
                held += 1
    assert held > 3 * len(wanted)


def test_a_number_leads_in_two_clicks_to_its_iterations_gates_and_command(browser, tables):
    verdict = next(row for row in rows(tables / "tidy", "verdicts.csv") if row["contrast"])
    show(browser, tables / "report.html", "#claims")
    follow(browser, lambda: browser.run(f"document.querySelector('a[data-open={verdict['verdict_id']}]').click()"))
    says = browser.run("document.getElementById('detail').innerText")
    assert verdict["reason"] in says
    assert f"make trace ID={verdict['verdict_id']}" in says
    contrast = next(row for row in rows(tables / "tidy", "contrasts.csv") if row["contrast"] == verdict["contrast"])
    values = browser.run("[...document.querySelectorAll('#detail data')].map((each) => Number(each.value))")
    assert {float(contrast[name]) for name in ("ratio", "lower", "upper")} <= set(values)
    fork = browser.run("document.querySelector('#detail td a').dataset.open")
    follow(browser, lambda: browser.run("document.querySelector('#detail td a').click()"))
    experiment, environment, round_, number = fork.removeprefix("fork:").split("/")
    mine = [
        row
        for row in rows(tables / "tidy", "iterations.csv.gz")
        if (row["experiment"], row["environment"], row["round"], row["fork"])
        == (experiment, environment, round_, number)
    ]
    shown = browser.run(
        "[...document.querySelectorAll('#detail table')].find((each) => each.caption.innerText.startsWith('Iterations'))"
        ".querySelectorAll('tbody tr').length"
    )
    assert shown == len(mine) > 0
    values = browser.run(
        "[...[...document.querySelectorAll('#detail table')].find((each) => each.caption.innerText.startsWith('Iterations'))"
        ".querySelectorAll('tbody td:nth-child(4) data')].map((each) => each.value)"
    )
    assert values == [row["duration_ns"] for row in mine]
    commands = (Path("data/sample") / experiment / environment / round_ / "commands.txt").read_text().splitlines()
    command = browser.run("document.getElementById('command').textContent")
    assert command in next(line for line in commands if line.startswith(f"{int(number):03d}: "))
    says = browser.run("document.getElementById('detail').innerText")
    for words in ("Gates", "Settled", "spin ratio", f"{experiment}/{environment}/{round_}/jmh/{int(number):03d}.json"):
        assert words in says


def test_filters_and_order_stand_in_the_address_and_come_back_from_it(browser, tables):
    show(browser, tables / "report.html", "#cells")
    cells = rows(tables / "tidy", "cells.csv")
    workload = cells[0]["workload"]
    browser.run("document.querySelector('[tabulator-field=id] input').focus()")
    same = [row for row in cells if row["workload"] == workload]
    assert 0 < len(same) < len(cells)
    browser.run("document.querySelector('[aria-label=\"filter by measure\"]').focus()")
    browser.type("wall")
    wall = sum(row["measure"] == "wall" for row in cells)
    browser.wait(f"document.getElementById('count').textContent === '{wall} of {len(cells)} rows'")
    state = browser.run("location.hash")
    assert state == "#cells?f.measure=wall"
    show(browser, tables / "report.html", "#cells?f.measure=wall&f.mean_ns=%3E+1+ms&sort=-mean_ns")
    slow = sorted(
        (float(row["mean_ns"]) for row in cells if row["measure"] == "wall" and float(row["mean_ns"]) > 1e6),
        reverse=True,
    )
    found = [float(row["mean_ns"]["value"]) for row in browser.run(COLLECT)]
    assert found == slow
    assert slow


def test_keys_alone_lead_from_the_skip_link_to_a_fork_and_back(browser, tables):
    show(browser, tables / "report.html", "#forks")
    browser.press("Tab")
    assert browser.run("document.activeElement.id") == "skip"
    browser.press("Enter")
    first, second = (
        f"fork:{row['experiment']}/{row['environment']}/{row['round']}/{row['fork']}"
        for row in rows(tables / "tidy", "forks.csv")[:2]
    )
    assert browser.run("document.activeElement.dataset.open") == first
    browser.press("ArrowDown")
    browser.wait(f"document.activeElement.dataset.open === {json.dumps(second)}")
    follow(browser, lambda: browser.press("Enter"))
    browser.wait("document.activeElement.tagName === 'H2'")
    assert browser.run("document.activeElement.textContent").startswith(f"Fork {second.split('/')[-1]} of round ")
    follow(browser, lambda: browser.run("history.back()"))
    assert browser.run("document.getElementById('detail').hidden")
    browser.run("document.querySelector('[tabulator-field=workload] button').focus()")
    follow(browser, lambda: browser.press("Enter"))
    assert browser.run("location.hash") == "#forks?sort=workload"
    assert browser.run("document.querySelector('.tabulator-col[tabulator-field=workload]').ariaSort") == "ascending"


def test_a_screen_reader_is_told_what_everything_is(browser, tables):
    show(browser, tables / "report.html", "#cells")
    told = browser.accessible()
    assert all(node["name"] for node in told if node["role"] in ("link", "textbox", "combobox", "button", "searchbox"))
    roles = {node["role"] for node in told}
    assert {"main", "navigation", "heading", "columnheader", "status"} <= roles
    assert ("heading", "Cells") in {(node["role"], node["name"]) for node in told}


def test_nothing_is_asked_of_a_network_and_nothing_can_be(browser, tables):
    for view in ("claims", "pauses", "pivot", "compare"):
        show(browser, tables / "report.html", f"#{view}")
        asked = [
            e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"
        ]
        assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
        wrong = [e for e in browser.events if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")]
        assert wrong == []
    refused = """new Promise((told) => {
      document.addEventListener("securitypolicyviolation", (event) => told(event.effectiveDirective));
      fetch("https://example.org/").catch(() => {});
    })"""
    assert browser.run(refused) == "connect-src"


def test_ratios_of_the_page_are_those_of_r(browser, checkout):
    run = checkout.run("python", "-m", "jcarerun", "images", "analyse", "--", "Rscript", "report/tests/ratios.R")
    assert run.returncode == 0, run.stderr
    wanted = json.loads(run.stdout)
    browser.open("about:blank")
    for text in (*page.libraries().values(),)[:1]:
        browser.run(text + "; 0")
    browser.run("\n".join((APP / f"{name}.js").read_text() for name in ("student", "staged", "ratios")) + "; 0")
    for each in wanted["quantiles"]:
        assert browser.run(f"quantile(0.95, {each['df']})") == pytest.approx(each["t"], rel=1e-9)
    methods = set()
    for case in wanted["cases"]:
        found = browser.run(f"estimateRatio({json.dumps(case['one'])}, {json.dumps(case['two'])}, 0.95)")
        assert found["method"] == case["wanted"]["method"]
        for name in ("ratio", "lower", "upper"):
            value = case["wanted"][name]
            assert found[name] == (None if value is None else pytest.approx(value, rel=1e-9)), case
        methods.add(found["method"])
    assert methods == {"Welch", "paired", ""}


def test_two_are_compared_as_the_tables_have_it_and_else_by_the_same_formula(browser, tables, tmp_path):
    ratios = [
        row
        for row in rows(tables / "tidy", "ratios.csv")
        if row["kind"] == "protocol" and row["measure"] == "wall" and row["lower"]
    ]
    state = "#compare?by=protocol&a=as-published&b=modern&measure=wall"
    bare = tmp_path / "bare"
    shutil.copytree(tables / "tidy", bare)
    for name in ("ratios.csv", "contrasts.csv"):
        (bare / name).write_text((bare / name).read_text().splitlines()[0] + "\n")
    for file, source in ((tables / "report.html", "ratios.csv"), (make(bare, tmp_path / "bare.html"), "computed here")):
        show(browser, file, state)
        found = browser.run(COLLECT)
        assert {row["source"]["text"].split(" ")[0] for row in found} == {source.split(" ")[0]}
        for row in ratios:
            near = [f for f in found if float(f["ratio"]["value"]) == pytest.approx(float(row["ratio"]), rel=1e-9)]
            assert near, row["ratio_id"]
            assert float(near[0]["lower"]["value"]) == pytest.approx(float(row["lower"]), rel=1e-9)
            assert float(near[0]["upper"]["value"]) == pytest.approx(float(row["upper"]), rel=1e-9)
    assert ratios


def test_labels_of_ratios_are_whole(browser, tables, tmp_path):
    folder = tmp_path / "tidy"
    shutil.copytree(tables / "tidy", folder)
    write(folder, "cells.csv", [{**row, "provider": 60 * "w" + row["workload"]} for row in rows(folder, "cells.csv")])
    show(browser, make(folder, tmp_path / "long.html"), "#compare?by=protocol&a=as-published&b=modern&measure=wall")
    left = browser.run(
        "(() => { const svg = document.querySelector('figure svg'), from = svg.getBoundingClientRect().left;"
        " return Math.min(...[...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect().left - from)); })()"
    )
    assert left >= 0


def test_a_second_run_is_compared_with_this_one(browser, tables, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(tables / "tidy", other)
    forks = rows(other, "forks.csv")
    for row in forks:
        row["wall_ns_per_op"] = repr(2 * float(row["wall_ns_per_op"]))
    write(other, "forks.csv", forks)
    for chosen in (
        [other / "cells.csv", other / "forks.csv", other / "definitions.json"],
        [make(other, tmp_path / "other.html")],
    ):
        show(browser, tables / "report.html", "#claims")
        browser.choose("#files", *chosen)
        browser.wait("location.hash.startsWith('#compare?by=run') && !!document.querySelector('.tabulator-row data')")
        found = browser.run(COLLECT)
        assert found
        assert {round(float(row["ratio"]["value"]), 9) for row in found} == {0.5}
        assert {row["source"]["text"] for row in found} == {"computed here"}
    (tmp_path / "cells.csv").write_text("a,b\n1\n")
    for chosen, words in (
        ([tmp_path / "cells.csv"], "no whole table"),
        ([other / "cells.csv"], "forks.csv is missing"),
    ):
        browser.choose("#files", *chosen)
        browser.wait(f"document.getElementById('told').textContent.includes({json.dumps(words)})")


def test_two_runs_are_compared_in_words_too(tables, checkout):
    forks = rows(tables / "tidy", "forks.csv")
    for row in forks:
        row["wall_ns_per_op"] = repr(3 * float(row["wall_ns_per_op"]))
    out = checkout.path / "data/logs/compare-runs"
    (out / "b").mkdir(parents=True)
    write(out / "b", "forks.csv", forks)
    script = "import sys; from jcarerun.explorer import take; take.write(*sys.argv[1:])"
    taken = checkout.run("python", "-c", script, str(tables / "report.html"), str(out / "a"))
    assert taken.returncode == 0, taken.stderr
    command = ("python", "-m", "jcarerun", "images", "analyse", "--", "Rscript", "analysis/run.R", "compare_runs")
    run = checkout.run(*command, "--a", "data/logs/compare-runs/a", "--b", "data/logs/compare-runs/b")
    assert run.returncode == 0, run.stderr
    cells = {tuple(row[name] for name in ("experiment", "environment", "cell")) for row in forks}
    assert run.stdout.startswith(f"{len(cells)} cells are in both runs; 0 only in A, 0 only in B.")
    assert len(re.findall(r": B takes 3 times A's time \[", run.stdout)) == len(cells)


def test_what_a_run_says_is_text_and_never_markup(browser, tables, tmp_path):
    folder = tmp_path / "tidy"
    shutil.copytree(tables / "tidy", folder)
    hostile = "<img src=x onerror='document.title=1'></script><b>bold"
    forks = rows(folder, "forks.csv")
    for row in forks:
        row["settled_why"] = hostile
    write(folder, "forks.csv", forks)
    header = "experiment,environment,round,fork,depth,method,share,state,within,since_ms"
    first = [forks[0][name] for name in ("experiment", "environment", "round", "fork")]
    lines = [
        header,
        ",".join([*first, "0", f'"{hostile}::encrypt"', "1", "c2", "", "1709"]),
        ",".join([*first, "1", "x::implEncrypt", "0.75", "intrinsic", "", "1709"]),
    ]
    (folder / "chain.csv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    show(browser, make(folder, tmp_path / "hostile.html"), f"#forks?open=fork:{'/'.join(first)}")
    says = browser.run("document.getElementById('detail').innerText")
    assert f"{hostile}::encrypt" in says
    assert "compiled by C2 (tier 4)" in says
    assert "an intrinsic of the JVM" in says
    assert "75.0 %" in says
    assert browser.run("document.title") == "a test"
    assert browser.run("document.querySelectorAll('#detail b, #detail img, .tabulator b, .tabulator img').length") == 0


def test_it_prints_all_rows_that_are_left(browser, tables, tmp_path):
    show(browser, tables / "report.html", "#claims")
    (tmp_path / "print.pdf").write_bytes(browser.pdf())
    text = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "print.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    for row in rows(tables / "tidy", "verdicts.csv"):
        assert re.search(rf"\b{row['verdict_id']}\b", text)


def test_a_run_of_3300_forks_is_small_and_usable(browser, tables, tmp_path, capsys):
    """The sample's forks many times over, each with its own numbers: size is held, the time is printed only."""
    folder = tmp_path / "tidy"
    shutil.copytree(tables / "tidy", folder)
    forks, rounds = rows(folder, "forks.csv"), rows(folder, "rounds.csv")
    times = math.ceil(3300 / len(forks))

    def again(row, copy, number):
        made = {**row, "round": f"{row['round'][:-3]}{copy:03d}{row['round'][-3:]}"}
        return {
            **made,
            **{name: number(row[name], copy) for name in made if name.endswith(("_ns", "_ns_per_op", "_ms"))},
        }

    def other(text, copy):
        """Another number as long: what compresses a copy well would not compress a real run."""
        return "".join(
            str((int(d) * 7 + copy * (i + 3)) % 10) if d.isdigit() and i > 1 else d for i, d in enumerate(text)
        )

    packed = [f"{name}.csv.gz" for name in ("iterations", "pauses", "chain", "compilations")]
    for name in ("forks.csv", "rounds.csv", *packed):
        made = [again(row, copy, other) for copy in range(times) for row in rows(folder, name)]
        if name.endswith(".gz"):
            write(folder, "plain.csv", made)
            (folder / name).write_bytes(gzip.compress((folder / "plain.csv").read_bytes(), 1))
        else:
            write(folder, name, made)
    assert len(rounds) and times * len(forks) >= 3300
    big = make(folder, tmp_path / "big.html")
    size = big.stat().st_size / 2**20
    assert size < 8
    took = {}
    for view in ("claims", "cells", "forks", "pauses"):
        start = time.monotonic()
        show(browser, big, f"#{view}")
        took[view] = time.monotonic() - start
    says = browser.run("document.getElementById('count').textContent")
    assert int(says.split(" ")[0]) == times * len(rows(tables / "tidy", "pauses.csv.gz"))
    with capsys.disabled():
        print(
            f"\n{times * len(forks)} forks: {size:.1f} MB; ready after",
            ", ".join(f"{v} {s:.1f} s" for v, s in took.items()),
        )
