"""The page of providers: what it advises, and that its numbers are those of the rows."""

import pytest

from bench.tests.csv_files import write_rows
from jcarerun.results import today_page

OLD, NEW = "debian-13-temurin-17", "debian-sid-openjdk-27"
ROUND = {"experiment": "jdk-claims-today", "started_at": "2026-11-27T02:00:00Z", "forks": "9", "elapsed_s": "60"}
ROUND |= {"environment": OLD, "machine_id": "m", "tier": "full"}


def row(provider, rank="1", ratio=("1", "", ""), environment=NEW, operation="hash SHA-256", **others):
    """A row of today.csv: of 16 KB in 16 us, unless others say otherwise."""
    lower, upper = ratio[1:]
    times = {"mean_ns": "16384", "lower_ns": "", "upper_ns": "", "bytes": "16384", "allocated_bytes": "32"}
    times |= {"warm_up_state": "proven", "offered": "yes"}
    ratios = {"rank": rank, "ratio": ratio[0], "ratio_lower": lower, "ratio_upper": upper}
    return (
        times
        | ratios
        | {"environment": environment, "operation": operation, "provider": provider, "cell": "c"}
        | others
    )


@pytest.fixture
def page(tmp_path):
    """The lines of the page of rows of today.csv and of ratios.csv."""

    def made(rows, ratios=()):
        write_rows(tmp_path / "today.csv", rows, row("sunjce"))
        sides = ("numerator_environment", "numerator_cell", "denominator_environment")
        write_rows(tmp_path / "ratios.csv", ratios, ("kind", *sides, "ratio", "lower", "upper"))
        write_rows(tmp_path / "rounds.csv", [ROUND])
        for name in ("answer.json", "open.json"):
            (tmp_path / name).write_text("{}")
        return today_page.providers_lines(tmp_path)

    return made


def advice(lines):
    """The cells of the first table, by operation."""
    at = next(number for number, line in enumerate(lines) if line.startswith("| operation |"))
    rows = []
    for line in lines[at + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return {operation: cells for operation, *cells in rows}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row("sunjce"), row("corretto-2.5.0", "2", ("3.0", "2.9", "3.1"))], "JDK"),
        ([row("corretto-2.5.0"), row("sunjce", "2", ("1.09", "1.05", "1.13"))], "JDK"),
        ([row("corretto-2.5.0"), row("sunjce", "2", ("1.8", "0.9", "3.6"))], "JDK"),
        (
            [row("corretto-2.5.0"), row("sunjce", "2", ("3.0", "2.9", "3.1"))],
            "ACCP, 3.00 [2.90, 3.10]",
        ),
        (
            [row("corretto-2.5.0", warm_up_state="unproven"), row("sunjce", "2", ("3.0", "2.9", "3.1"))],
            "ACCP\\*, 3.00 [2.90, 3.10]",
        ),
        ([row("bouncycastle-1.86"), row("sunjce", offered="no", rank="")], "Bouncy Castle; the JDK has none"),
    ],
)
def test_the_jdks_own_provider_is_advised_unless_another_is_clearly_faster(page, rows, expected):
    assert advice(page(rows)) == {"hash SHA-256": [expected]}


def test_the_page_counts_for_how_many_operations_the_jdks_own_provider_is_enough(page):
    slow = [row("corretto-2.5.0", operation="sign"), row("sunjce", "2", ("3.0", "2.9", "3.1"), operation="sign")]
    text = "\n".join(page([row("sunjce"), row("corretto-2.5.0", "2", ("3.0", "2.9", "3.1")), *slow]))
    assert "fastest for many operations: 1 of 2 on JDK 27.\n" in text


def test_an_operation_of_the_jdk_alone_is_no_choice(page):
    rows = [
        row("sunjce"),
        row("corretto-2.5.0", "2", ("2", "1.9", "2.1")),
        row("sunjsse", operation="handshake x25519"),
    ]
    lines = page(rows)
    assert list(advice(lines)) == ["hash SHA-256"]
    assert any(line.startswith("| handshake x25519 | JDK |") for line in lines)


def test_a_provider_that_cannot_be_told_from_the_fastest_is_marked(page):
    lines = page([row("sunjce"), row("corretto-2.5.0", "2", ("1.01", "0.98", "1.04"))])
    assert any("~ ACCP 1.01 [0.980, 1.04], 32 B" in line for line in lines)


@pytest.mark.parametrize(
    ("allocated", "words"), [("0.0002", "0 B"), ("96.4", "96 B"), ("21500", "21.5 kB"), ("2.07e7", "20.7 MB"), ("", "")]
)
def test_allocation_has_a_unit_that_fits(page, allocated, words):
    lines = page([row("sunjce", allocated_bytes=allocated)])
    assert f"| hash SHA-256 | JDK | 1000 MB/s | {words} |  |  |" in lines


def test_providers_are_named_with_their_versions_and_short_names(page):
    text = "\n".join(page([row("sunjce"), row("corretto-2.5.0", "2", ("2", "1.9", "2.1"))]))
    assert "Compared are the JDK's own provider and Amazon Corretto Crypto Provider 2.5.0 (ACCP).\n" in text


def test_a_provider_that_lacks_the_operation_is_named(page):
    lines = page([row("sunjce"), row("bouncycastle-1.86", "", offered="no")])
    assert "| hash SHA-256 | JDK | 1000 MB/s | 32 B |  | Bouncy Castle |" in lines


def test_algorithms_of_a_kind_are_in_order_each_with_its_fastest_provider(page):
    others = [
        row("sunjce", operation="hash: SHA-256", mean_ns="32768", lower_ns="16384", upper_ns="65536"),
        row("corretto-2.5.0", operation="hash: SHA3-256"),
        row("sunjce", "2", ("2", "1.9", "2.1"), operation="hash: SHA3-256", mean_ns="32768"),
        row("sunjce", operation="agree: X25519"),
    ]
    lines = page(others)
    assert "| hash | SHA3-256 1000 MB/s (ACCP); SHA-256 500 [250, 1000] MB/s (JDK) |" in lines
    assert not any(line.startswith("| agree |") for line in lines)


def test_jdks_are_in_order_and_the_gain_over_the_first_has_its_interval(page):
    ratio = {"kind": "reference", "numerator_cell": "c", "denominator_environment": OLD}
    ratios = [
        ratio | {"numerator_environment": NEW, "ratio": "0.5", "lower": "0.4", "upper": "0.625"},
        ratio | {"numerator_environment": OLD, "ratio": "1", "lower": "", "upper": ""},
    ]
    other = row("corretto-2.5.0", "2", ("2", "1.9", "2.1"))
    lines = page([row("sunjce"), other, row("sunjce", environment=OLD)], ratios)
    assert lines[-1] == "| hash SHA-256 | 1000 MB/s | 1000 MB/s (2.00, 1.60 to 2.50) |"
    assert "| operation | JDK 17 | JDK 27 |" in lines
