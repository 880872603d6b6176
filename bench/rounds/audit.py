"""What the machine is and how it was while a round ran: read from /proc and /sys, `None` where it is not exposed."""

import hashlib
import os
import platform
from pathlib import Path

CPU = Path("/sys/devices/system/cpu")


def _text(path: str) -> str | None:
    try:
        return Path(path).read_text().strip() or None
    except OSError:
        return None


def _field(path: str, key: str) -> str | None:
    for line in (_text(path) or "").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip()
    return None


def machine_id() -> str:
    """Twelve hex digits that stand for this machine: the operating system's id and the CPU, hashed."""
    identity = (_text("/etc/machine-id") or platform.node()) + str(_field("/proc/cpuinfo", "model name"))
    return hashlib.sha256(identity.encode()).hexdigest()[:12]


def _all(pattern: str) -> str | None:
    """What the files below CPU say that match a pattern; all of it where they differ, None for no file."""
    found = {_text(str(path)) for path in CPU.glob(pattern)}
    return ", ".join(sorted(text for text in found if text)) or None


def _sum(pattern: str) -> int | None:
    counts = [text for path in CPU.glob(pattern) if (text := _text(str(path)))]
    return sum(map(int, counts)) if counts else None


def _hypervisor() -> str | None:
    """Who runs this machine, where it is a virtual one: its own name for itself if it gives one."""
    if "hypervisor" not in (_field("/proc/cpuinfo", "flags") or "").split():
        return None
    dmi = [_text(f"/sys/class/dmi/id/{name}") for name in ("sys_vendor", "product_name")]
    return " ".join(word for word in dmi if word) or _text("/sys/hypervisor/type") or "present"


def _container() -> str | None:
    """The container this process itself runs in, where one says so."""
    marks = {"docker": "/.dockerenv", "podman": "/run/.containerenv"}
    return next((name for name, mark in marks.items() if Path(mark).exists()), None)


def _mitigations() -> dict[str, str | None] | None:
    folder = CPU / "vulnerabilities"
    return {path.name: _text(str(path)) for path in sorted(folder.glob("*"))} if folder.is_dir() else None


def _steal() -> dict[str, int] | None:
    """Cumulative jiffies of all CPUs by kind (proc(5), first line of /proc/stat)."""
    words = (_text("/proc/stat") or "").split("\n")[0].split()
    names = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
    return dict(zip(names, map(int, words[1:9]), strict=True)) if len(words) >= 9 else None


def host() -> dict:
    """What does not change while a round runs."""
    return {
        "machine_id": machine_id(),
        "system": platform.system(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "cpu_model": _field("/proc/cpuinfo", "model name"),
        "cpu_flags": _field("/proc/cpuinfo", "flags"),
        "cpu_microcode": _field("/proc/cpuinfo", "microcode"),
        "cpus_online": os.cpu_count(),
        "cpus_isolated": _text(f"{CPU}/isolated"),
        "hypervisor": _hypervisor(),
        "container": _container(),
        "governor": _all("cpu[0-9]*/cpufreq/scaling_governor"),
        "frequency_driver": _all("cpu[0-9]*/cpufreq/scaling_driver"),
        "frequency_max_khz": _all("cpu[0-9]*/cpufreq/scaling_max_freq"),
        "turbo_off": _text(f"{CPU}/intel_pstate/no_turbo"),
        "boost": _text(f"{CPU}/cpufreq/boost"),
        "idle_driver": _text(f"{CPU}/cpuidle/current_driver"),
        "smt": _text(f"{CPU}/smt/active"),
        "smt_control": _text(f"{CPU}/smt/control"),
        "clock_source": _text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "mitigations": _mitigations(),
        "perf_counters": _text("/sys/bus/event_source/devices/cpu/type"),
        "perf_event_paranoid": _text("/proc/sys/kernel/perf_event_paranoid"),
        "memory_kb": (_field("/proc/meminfo", "MemTotal") or "").removesuffix(" kB") or None,
        "swap_kb": (_field("/proc/meminfo", "SwapTotal") or "").removesuffix(" kB") or None,
        "transparent_huge_pages": _text("/sys/kernel/mm/transparent_hugepage/enabled"),
        "cgroup": "v2" if Path("/sys/fs/cgroup/cgroup.controllers").exists() else "v1",
    }


def moment() -> dict:
    """What does: taken before and after a round."""
    return {
        "load_average": _text("/proc/loadavg"),
        "cpu_time_jiffies": _steal(),
        "frequency_khz": _text(f"{CPU}/cpu0/cpufreq/scaling_cur_freq"),
        "throttled": _sum("cpu[0-9]*/thermal_throttle/core_throttle_count"),
        "memory_available_kb": (_field("/proc/meminfo", "MemAvailable") or "").removesuffix(" kB") or None,
    }


def steal_share(before: dict, after: dict) -> float | None:
    """Share of all CPU time between two moments that the hypervisor took away; None where it is not exposed."""
    first, last = before["cpu_time_jiffies"], after["cpu_time_jiffies"]
    if not first or not last:
        return None
    total = sum(last.values()) - sum(first.values())
    return round((last["steal"] - first["steal"]) / total, 6) if total > 0 else None
