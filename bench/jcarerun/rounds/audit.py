"""What a machine is and how it was while a round ran: read from /proc and /sys, `None` where it is not exposed.

In: this machine's files, or those that a kit copied elsewhere (`root`) with what its JVM reported. Out: the parts of audit.json.
"""

import hashlib
import json
import os
import platform
from pathlib import Path

from jcarerun.rounds import record

CPU = "/sys/devices/system/cpu"

# What tells CPUs apart; a hypervisor may give all of a maker's one model name and one microcode.
CPU_KEYS = ("model name", "cpu family", "model", "stepping", "flags", "microcode")

# Every file that is read here, with the keys that are read of it, none for all of it: what a kit must copy.
HOST_FILES = {
    "/etc/os-release": ("PRETTY_NAME",), "/proc/cpuinfo": CPU_KEYS,
    "/proc/meminfo": ("MemTotal", "SwapTotal"), "/proc/sys/kernel/perf_event_paranoid": (),
    f"{CPU}/isolated": (), f"{CPU}/cpu[0-9]*/cpufreq/scaling_governor": (), f"{CPU}/cpu[0-9]*/cpufreq/scaling_driver": (),
    f"{CPU}/cpu[0-9]*/cpufreq/scaling_max_freq": (), f"{CPU}/intel_pstate/no_turbo": (), f"{CPU}/cpufreq/boost": (),
    f"{CPU}/cpuidle/current_driver": (), f"{CPU}/smt/active": (), f"{CPU}/smt/control": (), f"{CPU}/vulnerabilities/*": (),
    "/sys/class/dmi/id/sys_vendor": (), "/sys/class/dmi/id/product_name": (), "/sys/hypervisor/type": (),
    "/sys/devices/system/clocksource/clocksource0/current_clocksource": (), "/sys/bus/event_source/devices/cpu/type": (),
    "/sys/kernel/mm/transparent_hugepage/enabled": (),
}  # fmt: skip
MOMENT_FILES = {
    "/proc/loadavg": (),
    "/proc/stat": (),
    f"{CPU}/cpu0/cpufreq/scaling_cur_freq": (),
    f"{CPU}/cpu[0-9]*/thermal_throttle/core_throttle_count": (),
    "/proc/meminfo": ("MemAvailable",),
}
MARKS = {"docker": "/.dockerenv", "podman": "/run/.containerenv"}
CGROUP_V2 = "/sys/fs/cgroup/cgroup.controllers"


class Files:
    """The files of a machine, below `root`."""

    def __init__(self, root: Path = Path("/")):
        self.root = root

    def text(self, path: str) -> str | None:
        """What a file says, or None. Firmware may have named the machine in bytes that are no text."""
        try:
            found = (self.root / path.lstrip("/")).read_text(errors="replace")
            return record.CONTROL.sub("?", found)[: record.MOST_CHARS].strip() or None
        except OSError:
            return None

    def field(self, path: str, key: str) -> str | None:
        """What a line of a file says behind `key:` or `key=`."""
        for line in (self.text(path) or "").splitlines():
            for separator in ":=":
                name, found, value = line.partition(separator)
                if found and name.strip() == key:
                    return value.strip().strip('"') or None
        return None

    def every(self, pattern: str) -> list[str]:
        """What the files of a pattern say, each that says anything."""
        paths = sorted(self.root.glob(pattern.lstrip("/")))
        return [text for path in paths if (text := self.text(str(path.relative_to(self.root))))]

    def all(self, pattern: str) -> str | None:
        """What the files of a pattern say; all of it where they differ, None for no file."""
        return ", ".join(sorted(set(self.every(pattern)))) or None

    def kb(self, key: str) -> str | None:
        """An entry of the kernel's account of memory."""
        return (self.field("/proc/meminfo", key) or "").removesuffix(" kB") or None


def _live() -> dict[str, str]:
    """What no file says, in the words of a kit's host.txt (jcarerun.kit.Machine)."""
    readings = {
        "machine_id": machine_id(),
        "os.name": platform.system(),
        "os.version": platform.release(),
        "os.arch": platform.machine(),
        "cpus": str(os.cpu_count()),
        "platform": platform.system().lower(),
    }
    marks = (*MARKS.values(), CGROUP_V2)
    return readings | {f"exists {mark}": str(Path(mark).exists()).lower() for mark in marks}


def machine_id() -> str:
    """Twelve hex digits that stand for this machine: its name and its system's id, and what its times depend on, hashed.

    Nodes of a cluster that boot one image may share the id, and differ in name; another CPU, microcode or kernel is another
    machine as far as times go.
    """
    files = Files()
    identity = [files.text("/etc/machine-id"), platform.node(), platform.release()]
    identity += [files.field("/proc/cpuinfo", key) for key in CPU_KEYS]
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:12]


def _hypervisor(files: Files) -> str | None:
    """Who runs the machine, where it is a virtual one: its own name for itself if it gives one."""
    if "hypervisor" not in (files.field("/proc/cpuinfo", "flags") or "").split():
        return None
    dmi = [files.text(f"/sys/class/dmi/id/{name}") for name in ("sys_vendor", "product_name")]
    return " ".join(word for word in dmi if word) or files.text("/sys/hypervisor/type") or "present"


def _mitigations(files: Files) -> dict[str, str | None] | None:
    folder = files.root / f"{CPU}/vulnerabilities".lstrip("/")
    return {path.name: files.text(f"{CPU}/vulnerabilities/{path.name}") for path in sorted(folder.glob("*"))} or None


def _jiffies(files: Files) -> dict[str, int] | None:
    """Cumulative jiffies of all CPUs by kind (proc(5), first line of /proc/stat)."""
    words = (files.text("/proc/stat") or "").split("\n")[0].split()
    names = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
    return dict(zip(names, map(int, words[1:9]), strict=True)) if len(words) >= 9 else None


def _bean_kb(readings: dict[str, str], name: str) -> str | None:
    """What a JVM's bean counts in bytes, in kB."""
    return str(int(float(readings[f"bean {name}"])) // 1024) if f"bean {name}" in readings else None


def host(root: Path = Path("/"), readings: dict[str, str] | None = None) -> dict:
    """What does not change while a round runs. `readings`: what a kit's JVM said; by default this machine is asked."""
    files, readings = Files(root), _live() if readings is None else readings
    cgroup = "v2" if readings.get(f"exists {CGROUP_V2}") == "true" else "v1"
    return {
        "machine_id": readings.get("machine_id"),
        "system": readings.get("os.name"),
        "kernel": readings.get("os.version"),
        "architecture": readings.get("os.arch"),
        "cpu_model": readings.get("cpu_model") or files.field("/proc/cpuinfo", "model name"),
        "cpu_flags": files.field("/proc/cpuinfo", "flags") or readings.get("sysctl machdep.cpu.features"),
        "cpu_family": files.field("/proc/cpuinfo", "cpu family"),
        "cpu_model_number": files.field("/proc/cpuinfo", "model"),
        "cpu_stepping": files.field("/proc/cpuinfo", "stepping"),
        "cpu_microcode": files.field("/proc/cpuinfo", "microcode"),
        "cpus_online": int(readings["cpus"]) if readings.get("cpus", "").isdigit() else None,
        "cpus_isolated": files.text(f"{CPU}/isolated"),
        "hypervisor": _hypervisor(files),
        "container": next((name for name, mark in MARKS.items() if readings.get(f"exists {mark}") == "true"), None),
        "governor": files.all(f"{CPU}/cpu[0-9]*/cpufreq/scaling_governor"),
        "frequency_driver": files.all(f"{CPU}/cpu[0-9]*/cpufreq/scaling_driver"),
        "frequency_max_khz": files.all(f"{CPU}/cpu[0-9]*/cpufreq/scaling_max_freq"),
        "turbo_off": files.text(f"{CPU}/intel_pstate/no_turbo"),
        "boost": files.text(f"{CPU}/cpufreq/boost"),
        "idle_driver": files.text(f"{CPU}/cpuidle/current_driver"),
        "smt": files.text(f"{CPU}/smt/active"),
        "smt_control": files.text(f"{CPU}/smt/control"),
        "clock_source": files.text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "mitigations": _mitigations(files),
        "perf_counters": files.text("/sys/bus/event_source/devices/cpu/type"),
        "perf_event_paranoid": files.text("/proc/sys/kernel/perf_event_paranoid"),
        "memory_kb": files.kb("MemTotal") or _bean_kb(readings, "TotalPhysicalMemorySize"),
        "swap_kb": files.kb("SwapTotal") or _bean_kb(readings, "TotalSwapSpaceSize"),
        "transparent_huge_pages": files.text("/sys/kernel/mm/transparent_hugepage/enabled"),
        "cgroup": cgroup if readings.get("platform") == "linux" else None,
    }


def moment(root: Path = Path("/"), readings: dict[str, str] | None = None) -> dict:
    """What does: taken before and after a round. `readings`: what a kit's JVM said then."""
    files, readings = Files(root), readings or {}
    throttled = files.every(f"{CPU}/cpu[0-9]*/thermal_throttle/core_throttle_count")
    return {
        "load_average": files.text("/proc/loadavg") or readings.get("bean SystemLoadAverage"),
        "cpu_time_jiffies": _jiffies(files),
        "frequency_khz": files.text(f"{CPU}/cpu0/cpufreq/scaling_cur_freq"),
        "throttled": sum(map(int, throttled)) if throttled else None,
        "memory_available_kb": files.kb("MemAvailable") or _bean_kb(readings, "FreePhysicalMemorySize"),
        # Share of all CPUs since it was last asked for: what systems without /proc tell.
        "system_cpu_load": float(readings["bean SystemCpuLoad"]) if "bean SystemCpuLoad" in readings else None,
    }


def steal_share(before: dict, after: dict) -> float | None:
    """Share of all CPU time between two moments that the hypervisor took away; None where it is not exposed."""
    first, last = before["cpu_time_jiffies"], after["cpu_time_jiffies"]
    if not first or not last:
        return None
    total = sum(last.values()) - sum(first.values())
    return round((last["steal"] - first["steal"]) / total, 6) if total > 0 else None
