"""The audit: every fact has its key on every machine, and is null where the machine does not expose it."""

from bench.rounds import audit

FACTS = {
    "cpu_flags", "cpu_model", "governor", "turbo_off", "boost", "smt", "clock_source", "kernel", "mitigations", "hypervisor",
    "perf_counters", "perf_event_paranoid", "cgroup", "memory_kb", "frequency_driver", "idle_driver", "container",
}  # fmt: skip


def test_every_fact_is_there_or_null():
    found = audit.host()
    assert found.keys() >= FACTS
    assert all(value is None or value for value in found.values()), "nothing is an empty text"


def test_nothing_is_exposed(monkeypatch):
    monkeypatch.setattr(audit, "_text", lambda path: None)
    found = audit.host()
    assert {found[key] for key in FACTS - {"mitigations", "kernel", "cgroup", "container"}} == {None}
    assert audit.moment()["throttled"] is None
    assert audit.steal_share(audit.moment(), audit.moment()) is None


def test_what_differs_between_cpus_is_shown_whole(monkeypatch, tmp_path):
    for number, governor in enumerate(("powersave", "performance", "powersave")):
        folder = tmp_path / f"cpu{number}/cpufreq"
        folder.mkdir(parents=True)
        (folder / "scaling_governor").write_text(governor + "\n")
    monkeypatch.setattr(audit, "CPU", tmp_path)
    assert audit.host()["governor"] == "performance, powersave"


def test_throttling_is_the_sum_over_all_cpus(monkeypatch, tmp_path):
    for number, count in enumerate((2, 0, 3)):
        folder = tmp_path / f"cpu{number}/thermal_throttle"
        folder.mkdir(parents=True)
        (folder / "core_throttle_count").write_text(f"{count}\n")
    monkeypatch.setattr(audit, "CPU", tmp_path)
    assert audit.moment()["throttled"] == 5


def test_steal_is_a_share_of_all_time():
    before = {"cpu_time_jiffies": {"user": 10, "idle": 80, "steal": 10}}
    after = {"cpu_time_jiffies": {"user": 20, "idle": 160, "steal": 20}}
    assert audit.steal_share(before, after) == 0.1
