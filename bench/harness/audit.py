"""What the machine is and how it was while a round ran: read from /proc and /sys, `None` where it is not exposed."""

import hashlib
import os
import platform
from pathlib import Path


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


def _mitigations() -> dict[str, str | None]:
    folder = Path("/sys/devices/system/cpu/vulnerabilities")
    return {path.name: _text(str(path)) for path in sorted(folder.glob("*"))} if folder.is_dir() else {}


def _steal() -> dict[str, int] | None:
    """Cumulative jiffies of all CPUs by kind (proc(5), first line of /proc/stat)."""
    words = (_text("/proc/stat") or "").split("\n")[0].split()
    names = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
    return dict(zip(names, map(int, words[1:9]), strict=True)) if len(words) >= 9 else None


def host() -> dict:
    """What does not change while a round runs."""
    cpu = "/sys/devices/system/cpu"
    return {
        "machine_id": machine_id(),
        "system": platform.system(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "cpu_model": _field("/proc/cpuinfo", "model name"),
        "cpu_flags": _field("/proc/cpuinfo", "flags"),
        "cpu_microcode": _field("/proc/cpuinfo", "microcode"),
        "cpus_online": os.cpu_count(),
        "hypervisor": "present" if "hypervisor" in (_field("/proc/cpuinfo", "flags") or "").split() else None,
        "governor": _text(f"{cpu}/cpu0/cpufreq/scaling_governor"),
        "turbo_off": _text(f"{cpu}/intel_pstate/no_turbo"),
        "boost": _text(f"{cpu}/cpufreq/boost"),
        "smt": _text(f"{cpu}/smt/active"),
        "clock_source": _text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "mitigations": _mitigations(),
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
        "frequency_khz": _text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"),
        "memory_available_kb": (_field("/proc/meminfo", "MemAvailable") or "").removesuffix(" kB") or None,
    }


def steal_share(before: dict, after: dict) -> float | None:
    """Share of all CPU time between two moments that the hypervisor took away; None where it is not exposed."""
    first, last = before["cpu_time_jiffies"], after["cpu_time_jiffies"]
    if not first or not last:
        return None
    total = sum(last.values()) - sum(first.values())
    return round((last["steal"] - first["steal"]) / total, 6) if total > 0 else None
