"""The explorer in a real browser: every view, its numbers against the tables, phones, colours, keys, and a large run."""

import gzip
import json
import math
import re
import shutil
import string
import subprocess
import time
from pathlib import Path

import pytest

from jcarerun.explorer import page, tidy
from jcarerun.explorer.tidy import read as rows
from report.tests import browser as browsers

pytestmark = pytest.mark.sample
READY = "document.documentElement?.dataset.ready"
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
VIEWS = ("claims", "choose", "compare", "trends", "trends?trend=size", "trends?trend=published", "data")
# Every row of a table that scrolls both ways: the id in its link, column to what is written there and its full value.
COLLECT = """(async () => {
  const holder = document.querySelector(".tabulator-tableholder"), found = {};
  const order = Tabulator.findTable(".tabulator")[0].getRows("active").map((row) => row.getElement());
  const pause = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 15)));
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
  return Object.values(found);
})()"""
# Rows of the plain tables: a list of texts and full values of each.
PLAIN = """[...document.querySelectorAll("#view tbody tr")].map((row) => ({
  cells: [...row.children].map((cell) => cell.innerText),
  values: [...row.querySelectorAll("data")].map((each) => Number(each.value)),
  open: row.querySelector("a")?.dataset.open ?? null,
}))"""
# Verdicts of the tables, and what the page calls them.
DECIDED = {
    "holds": "holds", "other-size": "right direction, other size", "opposite": "opposite direction",
    "does-not-hold": "does not hold",
}  # fmt: skip
AXIS_LABELS = "#view svg [aria-label^='x-axis tick label'] text"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not browsers.program():
        pytest.fail(f"no browser: install one of {', '.join(browsers.NAMES)} (Debian: apt-get install chromium)")
    tab = browsers.Browser(tmp_path_factory.mktemp("profile"))
    yield tab
    tab.close()


@pytest.fixture(autouse=True)
def _desk(browser):
    """Each test begins on a wide screen in light colours."""
    browser.look(1400)


@pytest.fixture(scope="module")
def tables(sample_report, tmp_path_factory):
    """The sample's tidy tables, and its page, as `make report` made them; copies, as other tests make theirs anew."""
    kept = tmp_path_factory.mktemp("explorer")
    shutil.copytree(sample_report.path / "data/tidy", kept / "tidy")
    shutil.copy(sample_report.path / "report/report.html", kept / "report.html")
    return kept


def write(folder, name, made):
    (folder / name).write_text(tidy.text(made[0], made))


def make(folder, out):
    """The page of tidy tables that a test changed."""
    out.write_text(page.make(page.blocks(folder, folder / "definitions.json", Path("data/sample")), "a test"))
    return out


def changed(tables, folder, **edits):
    """The page of the sample's tables with some of their rows edited: table=function of a row."""
    shutil.copytree(tables / "tidy", folder)
    for name, edit in edits.items():
        write(folder, f"{name}.csv", [{**row, **edit(row)} for row in rows(folder, f"{name}.csv")])
    return make(folder, folder.with_suffix(".html"))


def fork_link(row):
    return "fork:" + "/".join(row[name] for name in tidy.FORK)


def show(browser, file, state):
    browser.open(f"file://{file}{state}")
    assert browser.wait(READY) != "failed", browser.run("document.body.innerText")


def follow(browser, action):
    """Do something that changes the address, and wait until the page shows what is there then."""
    before = browser.run("location.hash")
    action()
    browser.wait(f"location.hash !== {json.dumps(before)} && {READY}")


def each_of(browser, selector, expression):
    """What an expression of JavaScript gives for every element that a selector finds, which it calls `e`."""
    return browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => {expression})")


def count_of(browser, selector):
    return browser.run(f"document.querySelectorAll({json.dumps(selector)}).length")


def count_text(browser):
    return browser.run("document.getElementById('count').textContent")


def set_value(browser, element, value, event):
    """Give an <input> or <select>, a JavaScript expression, a value as a user would."""
    browser.run(f"{{ const e = {element}; e.value = {json.dumps(value)}; e.dispatchEvent(new Event('{event}')) }}")


def choose(browser, label, value):
    """Choose a value in the <select> with a label."""
    labels = "[...document.querySelectorAll('#controls label')]"
    select = f"{labels}.find((e) => e.innerText.startsWith({json.dumps(label)})).lastChild"
    follow(browser, lambda: set_value(browser, select, value, "change"))


def printed(text):
    """The number that a text of the page says, in ns where it is a time, and half of its last digit."""
    found = re.fullmatch(r"(-?[0-9.]+)(?:e([+-]\d+))?(?: (ns|µs|ms|s|%))?", text)
    factor = UNITS.get(found[3], 0.01 if found[3] == "%" else 1) * 10 ** int(found[2] or 0)
    # Digits after the point that the page leaves out are zeros: it writes three where there are as many.
    digits = max(0, 2 - math.floor(math.log10(abs(float(found[1]))))) if float(found[1]) else 0
    return float(found[1]) * factor, 0.5 * 10**-digits * factor * 1.0001


TABLES = {
    "verdicts": ("verdicts.csv", ("estimate", "lower", "upper", "p_holm", "forks_min")),
    "cells": ("cells.csv", ("mean_ns", "lower_ns", "upper_ns", "half_width_pct", "forks", "sd_between_ns")),
    "cpu": ("cells.csv", ("mean_ns", "lower_ns", "upper_ns")),
    "forks": ("forks.csv", ("wall_ns_per_op", "cpu_ns_per_op", "measured_iterations", "spin_ratio")),
}


@pytest.mark.parametrize("view", TABLES)
def test_every_number_of_a_data_table_is_its_rows(browser, tables, view):
    name, columns = TABLES[view]
    measure = {"cells": "wall", "cpu": "cpu"}.get(view)
    wanted = [row for row in rows(tables / "tidy", name) if not measure or row["measure"] == measure]
    show(browser, tables / "report.html", f"#data?table={view}&columns=name,{','.join(columns)}")
    found = browser.run(COLLECT)
    assert len(found) == len(wanted)
    assert count_text(browser).startswith(f"{len(wanted)} of {len(wanted)} ")
    compared = 0
    for shown, row in zip(found, wanted, strict=True):
        for column in columns:
            cell = shown.get(column, {"value": None})
            assert (cell["value"] or "") == "" if row[column] == "" else float(cell["value"]) == float(row[column])
            if row[column]:
                value, half = printed(cell["text"])
                factor = 0.01 if column.endswith("_pct") else 1
                assert value == pytest.approx(float(row[column]) * factor, abs=max(half, 1e-12)), (column, cell)
                compared += 1
    assert compared > 2 * len(wanted)


def test_home_shows_each_claim_with_its_sentence_the_published_number_and_the_verdicts(browser, tables):
    show(browser, tables / "report.html", "")
    found = {row["open"]: row for row in browser.run(PLAIN) if row["open"]}
    parts = [re.search(r"([A-Z])([0-9]+)([a-z]?)$", claim).groups() for claim in found]
    assert parts == sorted(parts, key=lambda part: (part[0], int(part[1]), part[2]))
    claims, verdicts = rows(tables / "tidy", "claim_list.csv"), rows(tables / "tidy", "verdicts.csv")
    assert len(found) == len(claims)
    for claim in claims:
        row = found[f"claim:{claim['experiment']}/{claim['claim']}"]
        assert claim["text"] in row["cells"][0]
        assert row["cells"][1] == claim["published"]
        own = [v for v in verdicts if (v["experiment"], v["claim"]) == (claim["experiment"], claim["claim"])]
        known = {float(v[name]) for v in own for name in ("estimate", "lower", "upper") if v[name]}
        assert set(row["values"]) <= known
        words = " ".join(row["cells"][2:])
        for verdict in {v["verdict"] for v in own if v["verdict"] in DECIDED}:
            assert DECIDED[verdict] in words
    set_value(browser, "document.querySelector('#controls input')", "private-key", "input")
    left = [claim for claim in claims if "private-key" in claim["text"]]
    assert (
        browser.run("[...document.querySelectorAll('.matrix a')].filter((each) => each.offsetParent).length")
        == len(left)
        > 0
    )
    # Parts of one claim, such as S5a and S5b, count once.
    counts = [len({each["claim"].rstrip(string.ascii_lowercase) for each in some}) for some in (left, claims)]
    assert counts[1] < len(claims)
    assert count_text(browser).startswith(f"{counts[0]} of {counts[1]} claims of ")
    assert browser.run("location.hash") == "#claims?search=private-key"


def test_verdict_words_and_colours_come_from_the_data(browser, tables, tmp_path):
    words = DECIDED | {
        "undecided": "undecided", "not-comparable": "not comparable", "not-testable": "not testable",
        "not-testable, not measured": "not measured", "new word": "new word",
    }  # fmt: skip
    kinds = ["good", "half", "bad", "bad", "open", *["none"] * 4]
    order = iter([*words] * 99)

    def judged(_):
        verdict, _, cause = next(order).partition(", ")
        return {"verdict": verdict, "cause": cause}

    file = changed(tables, tmp_path / "words", verdicts=judged)
    show(browser, file, "#data?table=verdicts")
    chips = each_of(browser, ".tabulator .chip", "[e.textContent, e.className]")
    assert {tuple(chip) for chip in chips} == {
        (word, f"chip {kind}") for word, kind in zip(words.values(), kinds, strict=True)
    }
    fits = "e.getBoundingClientRect().right <= e.closest('.tabulator-cell').getBoundingClientRect().right"
    assert all(each_of(browser, ".tabulator .chip", fits))


def test_a_number_leads_to_its_iterations_what_disturbed_it_and_its_command(browser, tables):
    verdict = next(row for row in rows(tables / "tidy", "verdicts.csv") if row["contrast"])
    show(browser, tables / "report.html", f"#claims?open=claim:{verdict['experiment']}/{verdict['claim']}")
    assert count_of(browser, "#detail figure svg") > 0
    follow(browser, lambda: browser.run(f"document.querySelector('a[data-open={verdict['verdict_id']}]').click()"))
    says = browser.run("document.getElementById('detail').innerText")
    assert verdict["reason"] in says
    assert verdict["verdict_id"] in says
    contrast = next(row for row in rows(tables / "tidy", "contrasts.csv") if row["contrast"] == verdict["contrast"])
    values = each_of(browser, "#detail data", "Number(e.value)")
    assert {float(contrast[name]) for name in ("ratio", "lower", "upper")} <= set(values)
    first = "[...document.querySelectorAll('#detail td a')].find((each) => each.dataset.open.startsWith('fork:'))"
    fork = browser.run(f"{first}.dataset.open")
    follow(browser, lambda: browser.run(f"{first}.click()"))
    experiment, environment, round_, number = fork.removeprefix("fork:").split("/")
    mine = [row for row in rows(tables / "tidy", "iterations.csv.gz") if fork_link(row) == fork]
    table = "[...document.querySelectorAll('#detail table')].find((each) => each.caption.innerText.startsWith('Iterations'))"
    assert browser.run(f"{table}.querySelectorAll('tbody tr').length") == len(mine) > 0
    values = browser.run(f"[...{table}.querySelectorAll('tbody td:nth-child(4) data')].map((each) => each.value)")
    assert values == [row["duration_ns"] for row in mine]
    commands = (Path("data/sample") / experiment / environment / round_ / "commands.txt").read_text().splitlines()
    command = browser.run("document.getElementById('command').textContent")
    assert sum(command in line and f"{int(number):03d}" in line for line in commands) == 1
    says = browser.run("document.getElementById('detail').innerText")
    for words in ("Was it disturbed?", "Warm-up", f"{experiment}/{environment}/{round_}/jmh/{int(number):03d}.json"):
        assert words in says


@pytest.mark.parametrize("kind", ["claim", "verdict", "cell", "fork"])
def test_a_deep_link_shows_its_heading_at_once(browser, tables, kind):
    verdict = next(row for row in rows(tables / "tidy", "verdicts.csv") if row["contrast"])
    cell, fork = rows(tables / "tidy", "cells.csv")[0], rows(tables / "tidy", "forks.csv")[-1]
    link = {
        "claim": f"claim:{verdict['experiment']}/{verdict['claim']}",
        "verdict": verdict["verdict_id"],
        "cell": "cell:"
        + "/".join(cell[name] for name in ("experiment", "environment", "machine_id", "cell", "measure")),
        "fork": fork_link(fork),
    }[kind]
    show(browser, tables / "report.html", f"#data?table=forks&open={link}")
    top = browser.run("document.querySelector('#detail h2').getBoundingClientRect().top")
    assert 0 <= top < 600
    follow(browser, lambda: browser.run("document.querySelector('#detail a').click()"))
    assert browser.run("document.getElementById('detail').hidden")
    assert count_of(browser, ".tabulator-row") > 0


def test_an_unknown_link_says_so(browser, tables):
    show(browser, tables / "report.html", "#claims?open=v999999")
    assert browser.run("document.querySelector('#detail h2').textContent") == "This run has no v999999"


def test_choose_shows_all_providers_sorted_with_the_ratio_to_the_fastest(browser, tables, tmp_path):
    """The sample has one provider: RSA's benchmarks with 2048 bits become those of a second one with 1024."""
    second = {"provider": "conscrypt-2.8.0", "factor.rsa-bits": "1024"}

    def edit(row):
        return second if row.get("factor.rsa-bits") == "2048" else {}

    pair = {"dimension": "provider"}
    file = changed(
        tables, tmp_path / "two", cells=edit, forks=edit,
        pairs=lambda row: pair if row["dimension"] == "factor.rsa-bits" else {},
    )  # fmt: skip
    show(browser, file, "#choose")
    found = browser.run(PLAIN)
    assert [row["cells"][0] for row in found] == ["SunJCE", "Conscrypt 2.8.0"]
    times = [row["values"][0] for row in found]
    assert times == sorted(times)
    known = [row for row in rows(tmp_path / "two", "pairs.csv") if row["dimension"] == "provider"]
    assert found[1]["values"][3:6] in [[float(row[name]) for name in ("ratio", "lower", "upper")] for row in known]
    colours = each_of(browser, "#view [aria-label=dot] path", "e.getAttribute('fill') + e.getAttribute('stroke')")
    assert len(set(colours)) == 2
    assert "2 providers" in count_text(browser)


def test_compare_begins_with_a_pair_that_exists_and_shows_rows_of_the_tables(browser, tables):
    show(browser, tables / "report.html", "#compare")
    known = rows(tables / "tidy", "pairs.csv")
    assert int(count_text(browser).split(" ")[0]) > 0
    for dimension in {row["dimension"] for row in known}:
        choose(browser, "compare by", dimension)
        found = browser.run(COLLECT)
        assert found
        by_id = {row["pair_id"]: row for row in known if row["dimension"] == dimension}
        for row in found:
            own = by_id[row["pair_id"]["text"]]
            for name in ("ratio", "lower", "upper"):
                assert (row[name]["value"] or "") == own[name] or float(row[name]["value"]) == float(own[name])
        intervals = sum(bool(row["lower"]["text"]) for row in found)
        assert count_of(browser, "#view [aria-label=dot] path") == min(intervals, 40)
        if intervals:
            labels = [each for each in each_of(browser, AXIS_LABELS, "e.textContent") if each]
            assert len(labels) >= 3, labels


def test_labels_of_ratios_are_whole(browser, tables, tmp_path):
    file = changed(tables, tmp_path / "long", cells=lambda row: {"workload": 30 * "w" + row["workload"]})
    show(browser, file, "#compare?by=protocol")
    left, right = browser.run(
        "(() => { const svg = document.querySelector('figure svg'), box = svg.getBoundingClientRect();"
        " const texts = [...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect());"
        " return [Math.min(...texts.map((t) => t.left)) - box.left, box.right - Math.max(...texts.map((t) => t.right))] })()"
    )
    assert left >= 0
    assert right >= 0


def test_trends_draw_time_by_jdk_by_size_and_published_against_ours(browser, tables, tmp_path):
    sizes = iter(["100 KB", "1 MB", "2 MB"] * 99)
    one = {"workload": "encrypt", "factor.cipher": "AES", "factor.digest": "", "factor.rsa-bits": ""}
    file = changed(tables, tmp_path / "sizes", cells=lambda row: {**one, "factor.size": next(sizes)})
    show(browser, file, "#trends?trend=size")
    found = browser.run(PLAIN)
    assert len({row["cells"][0] for row in found}) > 1
    assert (
        {row["cells"][0] for row in found}
        <= set(each_of(browser, AXIS_LABELS, "e.textContent"))
        <= {"100 KB", "1 MB", "2 MB"}
    )
    show(browser, tables / "report.html", "#trends")
    found = browser.run(PLAIN)
    assert len({row["cells"][0] for row in found}) > 1
    means = {float(row["mean_ns"]) for row in rows(tables / "tidy", "cells.csv")}
    assert {row["values"][0] for row in found} <= means
    dots = each_of(browser, "#view [aria-label=dot] path", "e.getAttribute('fill')")
    assert len(dots) == len(found)
    unproven = sum(row["cells"][-1] in ("unproven", "still compiling") for row in found)
    assert dots.count("var(--paper)") == unproven
    choose(browser, "trend", "published")
    claims = {f"claim:{row['experiment']}/{row['claim']}": row for row in rows(tables / "tidy", "claim_list.csv")}
    found = browser.run(PLAIN)
    assert found
    assert all(claims[row["open"]]["published_value"] for row in found)
    assert count_of(browser, "#view [aria-label=dot] path") > len(found)


def test_searches_filters_and_order_stand_in_the_address_and_come_back_from_it(browser, tables):
    cells = [row for row in rows(tables / "tidy", "cells.csv") if row["measure"] == "wall"]
    show(browser, tables / "report.html", "#data?table=cells")
    browser.run("document.querySelector('.toolbar input').focus()")
    browser.type("encrypt")
    encrypting = sum("encrypt" in row["workload"] for row in cells)
    browser.wait(f"document.getElementById('count').textContent.startsWith('{encrypting} of {len(cells)} ')")
    assert browser.run("location.hash") == "#data?table=cells&search=encrypt"
    show(browser, tables / "report.html", "#data?table=cells&f.mean_ns=%3E+1+ms&sort=-mean_ns")
    slow = sorted((float(row["mean_ns"]) for row in cells if float(row["mean_ns"]) > 1e6), reverse=True)
    assert [float(row["mean_ns"]["value"]) for row in browser.run(COLLECT)] == slow != []


def test_a_table_without_rows_says_so_and_leaves_the_page_usable(browser, tables, tmp_path):
    """Once it had no columns either, and the page drew nothing any more."""
    folder = shutil.copytree(tables / "tidy", tmp_path / "tidy")
    header, *_ = (folder / "departures.csv").read_text().splitlines(keepends=True)
    (folder / "departures.csv").write_text(header)
    show(browser, make(folder, tmp_path / "none.html"), "#data?table=departures")
    assert "There are no rows." in browser.run("document.getElementById('view').innerText")
    choose(browser, "table", "cells")
    assert count_of(browser, ".tabulator-row") > 0


def test_columns_are_chosen_and_a_table_is_downloaded(browser, tables, tmp_path):
    show(browser, tables / "report.html", "#data?table=cells")
    browser.run("document.querySelector('.tools').open = true")
    each_of(browser, ".tools input", "(e.checked = ['name', 'mean_ns', 'image_id'].includes(e.value))")
    pressed = "[...document.querySelectorAll('.tools button')].find((each) => each.textContent === {}).click()"
    follow(browser, lambda: browser.run(pressed.format("'Show these'")))
    fields = "[...document.querySelectorAll('.tabulator-col')].map((each) => each.getAttribute('tabulator-field'))"
    assert browser.run(fields) == ["name", "mean_ns", "image_id"]
    browser.download_to(tmp_path)
    browser.run(pressed.format("'Download as CSV'"))
    end = time.monotonic() + 30
    while not (found := list(tmp_path.glob("*.csv"))) and time.monotonic() < end:
        time.sleep(0.1)
    wanted = [float(row["mean_ns"]) for row in rows(tables / "tidy", "cells.csv") if row["measure"] == "wall"]
    assert [float(row["mean time"]) for row in rows(tmp_path, found[0].name)] == wanted


def test_keys_alone_lead_from_the_skip_link_to_a_fork_and_back(browser, tables):
    show(browser, tables / "report.html", "#data?table=forks")
    browser.press("Tab")
    assert browser.run("document.activeElement.id") == "skip"
    browser.press("Enter")
    first, second = map(fork_link, rows(tables / "tidy", "forks.csv")[:2])
    assert browser.run("document.activeElement.dataset.open") == first
    browser.press("ArrowDown")
    browser.wait(f"document.activeElement.dataset.open === {json.dumps(second)}")
    follow(browser, lambda: browser.press("Enter"))
    browser.wait("document.activeElement.tagName === 'H2'")
    assert browser.run("document.activeElement.textContent").startswith(f"JVM run {second.split('/')[-1]} of round ")
    follow(browser, lambda: browser.run("history.back()"))
    assert browser.run("document.getElementById('detail').hidden")
    browser.run("document.querySelector('button.head[tabindex=\"0\"]').focus()")
    browser.press("ArrowRight")
    follow(browser, lambda: browser.press("Enter"))
    assert browser.run("location.hash") == "#data?table=forks&sort=setting"
    assert browser.run("document.querySelector('.tabulator-col[tabulator-field=setting]').ariaSort") == "ascending"


# The sample has no operation at two sizes.
@pytest.mark.parametrize("view", [view for view in VIEWS if "size" not in view])
def test_content_is_at_most_ten_tab_stops_away(browser, tables, view):
    show(browser, tables / "report.html", f"#{view}")
    reached = "document.activeElement.closest('.matrix, .plain, .tabulator, figure, .scroll') !== null"
    for _ in range(11):
        browser.press("Tab")
        if browser.run(reached):
            break
    assert browser.run(reached)


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_shows_every_view_without_scrolling_sideways(browser, tables, view):
    browser.look(390)
    show(browser, tables / "report.html", f"#{view}")
    assert browser.run("document.documentElement.scrollWidth") <= 390
    if view in ("claims", "data"):
        right = browser.run(
            "Math.max(...[...document.querySelectorAll('.chip')].map((each) => each.getBoundingClientRect().right))"
        )
        assert 0 < right <= 390
    sizes = each_of(browser, "svg text", "parseFloat(getComputedStyle(e).fontSize)")
    assert all(size >= 12 for size in sizes)
    # One pixel of the picture is one of the page.
    scales = each_of(browser, "figure svg", "e.clientWidth / e.viewBox.baseVal.width")
    assert all(scale == pytest.approx(1, abs=0.02) for scale in scales)


def test_colours_are_the_systems_or_those_of_the_switch(browser, tables):
    paper = "getComputedStyle(document.body).backgroundColor"
    show(browser, tables / "report.html", "#claims")
    assert browser.run(paper) == "rgb(255, 255, 255)"
    browser.look(1400, dark=True)
    dark = browser.run(paper)
    assert dark != "rgb(255, 255, 255)"
    assert browser.run("getComputedStyle(document.body).color") != browser.run(paper)
    browser.run("document.getElementById('theme').click()")
    assert browser.run(paper) == "rgb(255, 255, 255)"
    browser.run("document.getElementById('theme').click()")
    assert browser.run(paper) == dark


@pytest.mark.parametrize("view", VIEWS)
def test_a_screen_reader_gets_a_name_for_everything(browser, tables, view):
    show(browser, tables / "report.html", f"#{view}")
    nodes = browser.accessible()
    named = {"link", "textbox", "combobox", "button", "searchbox", "image", "img"}
    assert [node for node in nodes if node["role"] in named and not node["name"]] == []
    assert {"main", "navigation", "heading", "status"} <= {node["role"] for node in nodes}


def test_nothing_is_asked_of_a_network_and_nothing_can_be(browser, tables):
    for view in (*VIEWS, "data?table=pauses"):
        show(browser, tables / "report.html", f"#{view}")
        asked = [
            e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"
        ]
        assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
        wrong = [e for e in browser.events if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")]
        assert wrong == []
    refused = """new Promise((answer) => {
      document.addEventListener("securitypolicyviolation", (event) => answer(event.effectiveDirective));
      fetch("https://example.org/").catch(() => {});
    })"""
    assert browser.run(refused) == "connect-src"


def test_a_second_run_is_shown_beside_this_one(browser, tables, tmp_path):
    other = changed(tables, tmp_path / "other", cells=lambda row: {"mean_ns": repr(2 * float(row["mean_ns"]))})
    show(browser, tables / "report.html", "#claims")
    browser.choose("#files", other)
    browser.wait("location.hash.startsWith('#compare?by=run') && !!document.querySelector('.tabulator-row data')")
    found = browser.run(COLLECT)
    assert len(found) == sum(row["measure"] == "wall" for row in rows(tables / "tidy", "cells.csv"))
    assert {float(row["b_ns"]["value"]) / float(row["a_ns"]["value"]) for row in found} == {2}
    (tmp_path / "page.html").write_text("<html></html>")
    browser.choose("#files", tmp_path / "page.html")
    browser.wait("document.getElementById('message').textContent.includes(\"page.html holds no run's tables\")")


def test_two_runs_are_compared_in_words_too(tables, sample_report):
    forks = rows(tables / "tidy", "forks.csv")
    for row in forks:
        row["wall_ns_per_op"] = repr(3 * float(row["wall_ns_per_op"]))
    out = sample_report.path / "data/logs/compare-runs"
    (out / "b").mkdir(parents=True)
    write(out / "b", "forks.csv", forks)
    script = "import sys; from jcarerun.explorer import tidy; tidy.write_forks(*sys.argv[1:])"
    taken = sample_report.run("python", "-c", script, str(tables / "report.html"), str(out / "a"))
    assert taken.returncode == 0, taken.stderr
    command = ("python", "-m", "jcarerun", "images", "analyse", "--", "Rscript", "analysis/run.R", "compare_runs")
    run = sample_report.run(*command, "--a", "data/logs/compare-runs/a", "--b", "data/logs/compare-runs/b")
    assert run.returncode == 0, run.stderr
    cells = {tuple(row[name] for name in ("experiment", "environment", "cell")) for row in forks}
    assert run.stdout.startswith(f"{len(cells)} cells are in both runs; 0 only in A, 0 only in B.")
    assert len(re.findall(r": B takes 3 times A's time \[", run.stdout)) == len(cells)


def test_what_a_run_says_is_text_and_never_markup(browser, tables, tmp_path):
    folder = tmp_path / "tidy"
    shutil.copytree(tables / "tidy", folder)
    hostile = "<img src=x onerror='document.title=1'></script><b>bold"
    forks = rows(folder, "forks.csv")
    write(folder, "forks.csv", [{**row, "warm_up_why": hostile} for row in forks])
    for name, columns in {"claim_list": ("text", "published"), "verdicts": ("verdict", "reason")}.items():
        write(
            folder, f"{name}.csv", [{**row, **dict.fromkeys(columns, hostile)} for row in rows(folder, f"{name}.csv")]
        )
    header = "experiment,environment,round,fork,depth,method,share,state,within,since_ms"
    first = [forks[0][name] for name in tidy.FORK]
    lines = [
        header,
        ",".join([*first, "0", f'"{hostile}::encrypt"', "1", "c2", "", "1709"]),
        ",".join([*first, "1", "x::implEncrypt", "0.75", "intrinsic", "", "1709"]),
    ]
    (folder / "chain.csv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    file = make(folder, tmp_path / "hostile.html")
    show(browser, file, f"#claims?open={fork_link(forks[0])}")
    says = browser.run("document.getElementById('detail').innerText")
    for words in (f"{hostile}::encrypt", "compiled by C2 (tier 4)", "an intrinsic of the JVM", "75.0 %"):
        assert words in says
    forks_of_data = "#data?table=forks&columns=name,warm_up_why"
    for state in ("", "#claims?open=v1", "#data", forks_of_data, "#trends?trend=published"):
        show(browser, file, state)
        assert browser.run("document.title") == "a test"
        assert count_of(browser, "main b, main img") == 0


def test_it_prints_all_rows_that_are_left(browser, tables, tmp_path):
    show(browser, tables / "report.html", "#data?table=verdicts")
    (tmp_path / "print.pdf").write_bytes(browser.pdf())
    text = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "print.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    for row in rows(tables / "tidy", "verdicts.csv"):
        assert re.search(rf"\b{row['verdict_id']}\b", text)


def test_a_run_of_5000_forks_is_small_and_usable(browser, tables, tmp_path, capsys):
    """The sample's forks many times over, each with its own numbers: size is checked, the time is printed only."""
    folder = tmp_path / "tidy"
    shutil.copytree(tables / "tidy", folder)
    forks, rounds = rows(folder, "forks.csv"), rows(folder, "rounds.csv")
    times = math.ceil(5000 / len(forks))

    def again(row, copy, number):
        made = {**row, "round": f"{row['round'][:-3]}{copy:03d}{row['round'][-3:]}"}
        return {
            **made,
            **{name: number(row[name], copy) for name in made if name.endswith(("_ns", "_ns_per_op", "_ms", "value"))},
        }

    def other(text, copy):
        """Another number as long: what compresses a copy well would not compress a real run."""
        return "".join(
            str((int(d) * 7 + copy * (i + 3)) % 10) if d.isdigit() and i > 1 else d for i, d in enumerate(text)
        )

    packed = [f"{name}.csv.gz" for name in ("iterations", "pauses", "chain", "compilations")]
    for name in ("forks.csv", "observed.csv", "rounds.csv", *packed):
        made = [again(row, copy, other) for copy in range(times) for row in rows(folder, name)]
        if name.endswith(".gz"):
            write(folder, "plain.csv", made)
            (folder / name).write_bytes(gzip.compress((folder / "plain.csv").read_bytes(), 1))
        else:
            write(folder, name, made)
    assert rounds and times * len(forks) >= 5000
    big = make(folder, tmp_path / "big.html")
    size = big.stat().st_size / 2**20
    took = {}
    for view in ("claims", "choose", "data?table=forks", "data?table=pauses"):
        start = time.monotonic()
        show(browser, big, f"#{view}")
        took[view] = time.monotonic() - start
    says = count_text(browser)
    assert int(says.split(" ")[0]) == times * len(rows(tables / "tidy", "pauses.csv.gz"))
    with capsys.disabled():
        print(
            f"\n{times * len(forks)} forks: {size:.1f} MB; ready after",
            ", ".join(f"{v} {s:.1f} s" for v, s in took.items()),
        )
    assert size < 8
