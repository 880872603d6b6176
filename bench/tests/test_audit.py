"""The audit: every fact has its key on every machine, and is null where the machine does not expose it."""

import fnmatch

import pytest

from jcarerun.rounds import audit

FACTS = {
    "cpu_flags", "cpu_model", "governor", "turbo_off", "boost", "smt", "clock_source", "kernel", "mitigations", "hypervisor",
    "perf_counters", "perf_event_paranoid", "cgroup", "memory_kb", "frequency_driver", "idle_driver", "container",
}  # fmt: skip
CPU = "sys/devices/system/cpu"


@pytest.fixture
def machine(tmp_path):
    """Writes files of a machine below a root, and gives the root."""

    def write(**files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def test_every_fact_is_there_or_null():
    found = audit.host()
    assert found.keys() >= FACTS
    assert all(value is None or value for value in found.values()), "nothing is an empty text"


def test_nothing_is_exposed(machine):
    root = machine()
    found = audit.host(root, {})
    assert {found[key] for key in FACTS} == {None}
    assert audit.moment(root)["throttled"] is None
    assert audit.steal_share(audit.moment(root), audit.moment(root)) is None


def test_what_differs_between_cpus_is_shown_whole(machine):
    governors = enumerate(("powersave", "performance", "powersave"))
    root = machine(**{f"{CPU}/cpu{number}/cpufreq/scaling_governor": f"{word}\n" for number, word in governors})
    assert audit.host(root, {})["governor"] == "performance, powersave"


def test_throttling_is_the_sum_over_all_cpus(machine):
    counts = enumerate((2, 0, 3))
    root = machine(
        **{f"{CPU}/cpu{number}/thermal_throttle/core_throttle_count": f"{count}\n" for number, count in counts}
    )
    assert audit.moment(root)["throttled"] == 5


def test_steal_is_a_share_of_all_time():
    before = {"cpu_time_jiffies": {"user": 10, "idle": 80, "steal": 10}}
    after = {"cpu_time_jiffies": {"user": 20, "idle": 160, "steal": 20}}
    assert audit.steal_share(before, after) == 0.1


def test_a_virtual_machine_names_who_runs_it(machine):
    files = {"proc/cpuinfo": "flags\t\t: fpu hypervisor sse\n", "sys/class/dmi/id/sys_vendor": "QEMU\n"}
    assert audit.host(machine(**files), {})["hypervisor"] == "QEMU"


def test_a_system_without_proc_is_told_by_its_jvm(machine):
    readings = {
        "bean TotalPhysicalMemorySize": "8589934592",
        "bean SystemCpuLoad": "0.25",
        "cpus": "8",
        "cpu_model": "X",
    }
    found = audit.host(machine(), readings)
    assert (found["memory_kb"], found["cpus_online"], found["cpu_model"]) == ("8388608", 8, "X")
    assert audit.moment(machine(), readings)["system_cpu_load"] == 0.25


def test_nothing_is_read_that_a_kit_does_not_copy(monkeypatch):
    """What stands in HOST_FILES and MOMENT_FILES is all that a kit brings, with those keys alone."""
    real, asked = audit.Files.field, set()
    monkeypatch.setattr(audit.Files, "text", lambda self, path: asked.add((f"/{path.lstrip('/')}", None)))

    def field(self, path, key):
        asked.add((path, key))
        return real(self, path, key)

    monkeypatch.setattr(audit.Files, "field", field)
    readings = {"machine_id": "0"}
    audit.host(readings=readings)
    audit.moment(readings=readings)
    files = {**audit.HOST_FILES, **audit.MOMENT_FILES}
    for path, key in asked:
        patterns = [pattern for pattern in files if fnmatch.fnmatch(path, pattern)]
        assert patterns, f"{path} is copied by no kit"
        keys = {key for files in (audit.HOST_FILES, audit.MOMENT_FILES) for key in files.get(patterns[0], ())}
        assert key is None or not keys or key in keys, f"{key} of {path} is copied by no kit"
