"""The plan: pure, the same from the same files, and every round holds every cell once."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from jcarerun.errors import UserError
from jcarerun.images import catalogue
from jcarerun.plan import definitions, plan, settings
from jcarerun.plan.budget import Budget
from jcarerun.plan.cells import JVM_OPTIONS
from jcarerun.run import run

BOTH = ["native", "core2"]


def profiles(*names, tier="quick"):
    """A change that gives a tier CPU profiles."""
    return lambda data: data["tiers"][tier].update(cpu_profiles=list(names))


def test_every_round_holds_every_cell_once(rounds):
    planned = rounds()
    every = Counter(cell.id for cell in planned[0].cells)
    assert set(every.values()) == {1}
    assert all(Counter(cell.id for cell in round_.cells) == every for round_ in planned)


def test_quick_has_five_forks_of_each_cell_and_the_run_several_environments(tmp_path):
    # Results of their own: a run that was measured in this checkout keeps its first stage.
    planned = run.from_config({"tier": "quick", "minutes": 0, "results": str(tmp_path)}).rounds
    forks = Counter((round_.experiment, round_.environment, cell.id) for round_ in planned for cell in round_.cells)
    assert min(forks.values()) >= 5
    assert len({environment for _, environment, _ in forks}) >= 3


def test_a_protocol_that_a_tier_shortens_says_so():
    def shortened(tier):
        found = run.from_config({"tier": tier, "experiments": ["phenry2014"]}).definitions()["experiments"]
        return {
            (experiment["id"], name): protocol["shortened"]
            for experiment in found
            for name, protocol in experiment["protocols"].items()
        }

    assert shortened("standard")["phenry2014", "as-published"]
    assert not shortened("full")["phenry2014", "as-published"]


def test_standard_has_all_five_environments(rounds):
    assert len({round_.environment for round_ in rounds(tier="standard")}) >= 5


def test_a_workload_may_have_fewer_iterations_and_be_left_out_of_a_provider_or_protocol(rounds):
    def change(data):
        data["workloads"]["encrypt"].update(max_iterations=3, providers=["sunjce"])
        data["workloads"]["generate-key"]["protocols"] = ["steady-state"]

    cells = rounds(change, tier="standard")[0].cells
    assert {c.iterations for c in cells if c.workload == "encrypt"} == {3}
    assert {c.provider for c in cells if c.workload == "encrypt"} == {"sunjce"}
    assert {c.provider for c in cells if c.workload == "decrypt"} == {"sunjce", "bouncycastle-1.38"}
    assert {c.protocol for c in cells if c.workload == "generate-key"} == {"steady-state"}


def test_a_workload_may_change_a_protocol_and_a_short_tier_shortens_it_again(rounds):
    def change(data):
        data["workloads"]["encrypt"]["protocols"] = {"steady-state": {"iterations": 7, "warm_calls": 3}}

    def encrypt(tier):
        cells = [cell for cell in rounds(change, tier=tier)[0].cells if cell.workload == "encrypt"]
        return {(cell.protocol, cell.iterations, cell.warm_calls) for cell in cells}

    assert encrypt("quick") == {("steady-state", 12, 3)}  # as its tier says
    assert encrypt("smoke") == {("steady-state", 10, 3)}


def test_a_workload_says_for_how_long_it_warms_up_and_a_tier_may_limit_that(rounds):
    def change(data):
        data["workloads"]["encrypt"]["warm_ms"] = 15000
        data["tiers"]["smoke"]["protocols"]["steady-state"] = {"iterations": 10, "warm_ms": 3000}

    def encrypt(tier):
        cells = [cell for cell in rounds(change, tier=tier)[0].cells if cell.workload == "encrypt"]
        return {cell.warm_ms for cell in cells if cell.protocol == "steady-state"}

    assert encrypt("quick") == {15000}  # although a fork measures for 0.7 s only
    assert encrypt("smoke") == {3000}


def test_cells_are_limited_to_the_environments_that_have_them(rounds):
    def change(data):
        data["tiers"]["quick"]["environments"] = ["debian-13-temurin-21", "debian-13-temurin-17"]
        where, there = {"cipher": "Blowfish", "workload": "encrypt"}, {"jdk": "temurin-21.0.8"}
        data["only"] = [{"where": where, "in": there, "reason": "for a test"}]

    here = {round_.environment: {cell.id for cell in round_.cells} for round_ in rounds(change)}
    missing = here["debian-13-temurin-21"] - here["debian-13-temurin-17"]
    assert missing and all(cell.startswith("encrypt:blowfish") for cell in missing)
    assert here["debian-13-temurin-17"] < here["debian-13-temurin-21"]


def test_an_environment_without_any_cell_has_no_round(rounds):
    def change(data):
        data["tiers"]["quick"]["environments"] = ["debian-13-temurin-21", "debian-13-temurin-17"]
        data["only"] = [{"where": {}, "in": {"jdk": "temurin-21.0.8"}, "reason": "for a test"}]

    assert {round_.environment for round_ in rounds(change)} == {"debian-13-temurin-21"}


def with_flags(data):
    """A factor whose levels are JVM flags, of which JDK 17 lacks one."""
    data["factors"]["flags"] = {"usual": {"jvm_flags": []}, "off": {"jvm_flags": ["-XX:-UseChaCha20Intrinsics"]}}
    data["workloads"]["encrypt"]["factors"].append("flags")
    data["tiers"]["quick"]["environments"] = ["debian-13-temurin-21", "debian-13-temurin-17"]


def test_a_level_of_jvm_flags_gives_them_to_its_forks_and_is_left_out_where_the_jdk_lacks_one(rounds):
    here = {round_.environment: round_.cells for round_ in rounds(with_flags)}
    options = {
        cell.factors["flags"]: cell.jvm_options for cell in here["debian-13-temurin-21"] if "flags" in cell.factors
    }
    assert options == {"usual": (), "off": ("-XX:-UseChaCha20Intrinsics",)}
    assert {cell.factors["flags"] for cell in here["debian-13-temurin-17"] if "flags" in cell.factors} == {"usual"}


def test_the_plan_says_what_it_leaves_out_and_why(registry, kofahi, write):
    with_flags(kofahi)
    experiment = definitions.read(write(kofahi), registry)
    (line,) = plan.left_out({"kofahi2013": experiment}, settings.read({"tier": "quick"}), registry)
    assert "left out in 1 of 2 environments: Temurin 17.0.9 has no JVM flag UseChaCha20Intrinsics" in line


def test_a_workload_that_warms_up_slowly_has_longer_iterations_where_they_have_a_length(rounds):
    def change(data):
        data["workloads"]["encrypt"]["iteration_scale"] = 3

    lengths = {(c.workload, c.protocol): c.iteration_ms for c in rounds(change, tier="standard")[0].cells}
    assert lengths["encrypt", "steady-state"] == 3 * lengths["decrypt", "steady-state"] > 0
    assert lengths["encrypt", "as-published"] == 0


def test_the_same_files_make_the_same_plan(rounds):
    assert rounds() == rounds()


def test_the_order_of_forks_differs_from_round_to_round_and_comes_from_the_seed(rounds):
    orders = [[cell.id for cell in round_.cells] for round_ in rounds()]
    assert len({tuple(order) for order in orders}) == len(orders)
    assert [[cell.id for cell in round_.cells] for round_ in rounds(seed=7)] != orders


def test_environments_interleave(rounds):
    """All rounds of a number come before any of the next."""
    numbers = [round_.number for round_ in rounds()]
    assert numbers == sorted(numbers)
    environments = len({round_.environment for round_ in rounds()})
    assert len({round_.environment for round_ in rounds()[:environments]}) == environments


def test_both_protocols_are_there_and_as_published_is_what_the_authors_did(rounds):
    cells = rounds(tier="full")[0].cells
    assert {cell.protocol for cell in cells} == {"as-published", "steady-state"}
    published = next(cell for cell in cells if cell.protocol == "as-published")
    assert (published.mode, published.iterations, published.warmup) == ("single-shot", 100, "0")


def test_what_changes_the_measurement_changes_the_rounds_name(rounds):
    name = rounds()[0].id
    assert rounds(seed=1)[0].id != name
    assert rounds(memory=4096, cpu_profiles=["native"])[0].id != rounds(cpu_profiles=["native"])[0].id
    assert rounds(lambda d: d["protocols"]["as-published"].update(iterations=50))[0].id == name  # quick has its own


def test_what_does_not_change_the_measurement_keeps_the_rounds(rounds):
    """A claim's wording, a margin, a title or a guess of the time loses no finished round."""
    name = rounds()[0].id

    def reword(data):
        data["title"] = "Other"
        data["claims"]["K1"]["text"] = "Other"
        data["workloads"]["encrypt"]["expected_us"] = 1

    assert rounds(reword)[0].id == name


def test_more_rounds_keep_those_that_are_there(rounds):
    few = {round_.path for round_ in rounds()}
    assert few < {round_.path for round_ in rounds(lambda d: d["tiers"]["quick"].update(rounds=8))}


def test_jmh_arguments_keep_every_iteration_and_fix_the_jvm(rounds):
    for cell in rounds()[0].cells:
        arguments = cell.jmh_arguments(JVM_OPTIONS)
        assert arguments[arguments.index("-wi") + 1] == "0"
        assert arguments[arguments.index("-f") + 1] == "1"
        options = [arguments[i + 1] for i, word in enumerate(arguments) if word == "-jvmArgs"]
        for wanted in ("-Xms", "-Xmx", "-XX:+Use", "-XX:ActiveProcessorCount"):
            assert any(option.startswith(wanted) for option in options)


def test_single_shots_that_count_from_the_first_are_cold(rounds):
    for cell in rounds()[0].cells:
        assert ("-Djcarerun.cold=true" in cell.jmh_arguments(JVM_OPTIONS)) == (cell.protocol == "as-published")


def test_the_host_engine_has_the_host_alone(rounds):
    assert {round_.environment for round_ in rounds(engine="host")} == {"host"}


def test_expected_time_grows_with_the_tier(rounds):
    total = {tier: sum(round_.expected_s for round_ in rounds(tier=tier)) for tier in ("smoke", "quick", "standard")}
    assert total["smoke"] < total["quick"] < total["standard"]


def test_cells_are_crossed_with_the_cpu_profiles_of_the_tier(rounds):
    native, both = rounds(profiles("native")), rounds(profiles(*BOTH))
    assert len(both) == len(native)
    assert len(both[0].cells) == 2 * len(native[0].cells)
    count = Counter(cell.cpu_profile for cell in both[0].cells)
    assert count["native"] == count["core2"]
    assert {cell.id.rsplit(":", 1)[1] for cell in both[0].cells} == set(BOTH)


def test_native_is_what_a_tier_has_that_names_no_profile(rounds):
    planned = rounds(lambda data: data["tiers"]["quick"].pop("cpu_profiles", None))
    assert {cell.cpu_profile for round_ in planned for cell in round_.cells} == {"native"}


def test_a_run_may_want_fewer_profiles(rounds):
    planned = rounds(profiles(*BOTH), cpu_profiles=["core2"])
    assert {cell.cpu_profile for round_ in planned for cell in round_.cells} == {"core2"}


def test_a_run_in_which_nothing_is_left_is_refused(rounds):
    with pytest.raises(UserError, match=r"cpu_profiles=\[core2\]: no experiment of this run has that in tier quick"):
        rounds(profiles("native"), cpu_profiles=["core2"])


def test_a_profiles_options_and_variables_change_the_rounds_name(rounds, registry):
    name = rounds(profiles(*BOTH))[0].id
    core2 = registry.cpu_profiles["core2"]
    for change in ({"jvm_options": core2.jvm_options[:-1]}, {"variables": {"OPENSSL_ia32cap": ":0"}}):
        other = replace(registry, cpu_profiles={**registry.cpu_profiles, "core2": replace(core2, **change)})
        assert rounds(profiles(*BOTH), registry=other)[0].id != name
    reworded = replace(registry, cpu_profiles={**registry.cpu_profiles, "core2": replace(core2, label="Other")})
    assert rounds(profiles(*BOTH), registry=reworded)[0].id == name


def test_core2_is_not_planned_into_other_limits(rounds):
    with pytest.raises(UserError, match="memory=4096"):
        rounds(profiles(*BOTH), memory=4096)


def test_several_tags_are_a_union(rounds, registry):
    tags = {"smoke", "standard"}
    planned = rounds(lambda data: data["tiers"]["quick"].update(environments={"tag": sorted(tags)}))
    wanted = {name for name, entry in registry.catalogue.environments.items() if tags.intersection(entry.tags)}
    assert {round_.environment for round_ in planned} == wanted


def test_an_environment_for_other_processors_is_left_out_of_a_tag_and_refused_by_name(rounds, monkeypatch):
    monkeypatch.setattr(catalogue.machines, "machine", lambda: "x86_64")
    tagged = rounds(lambda data: data["tiers"]["quick"].update(environments={"tag": ["arm64", "smoke"]}))
    assert {round_.environment for round_ in tagged} == {"debian-12-temurin-17"}
    named = {"environments": ["debian-13-arm64-temurin-21"]}
    with pytest.raises(UserError, match="is for arm64, this machine is amd64; name one for amd64"):
        rounds(lambda data: data["tiers"]["quick"].update(named))


def test_the_summary_shows_the_profiles(rounds, tmp_path):
    words = " ".join(Budget(tmp_path, rounds(profiles(*BOTH))).summary())
    assert re.search(r"(\d+) cells \((\d+) native, \2 core2\)", words)
    assert "core2" not in " ".join(Budget(tmp_path, rounds(profiles("native"))).summary())


def test_the_summary_shows_what_its_time_goes_to(rounds, tmp_path):
    planned = rounds()
    shares = re.search(
        r"\((\d+)% iterations, (\d+)% warm-up by count, (\d+)% starts\)", " ".join(Budget(tmp_path, planned).summary())
    )
    parts = [int(part) for part in shares.groups()]
    assert all(parts)
    assert 99 <= sum(parts) <= 101
    whole = sum(round_.expected_s for round_ in planned)
    assert parts[0] == round(100 * sum(cell.measured_s for round_ in planned for cell in round_.cells) / whole)
    for round_ in planned:
        (tmp_path / round_.path).mkdir(parents=True)
    assert "%" not in " ".join(Budget(tmp_path, planned).summary()), "nothing is left to run"
