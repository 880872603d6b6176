package jcarerun.kit;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How busy the machine is at a moment: taken before and after a round. */
final class Moment {
  private static final List<String> KINDS =
      Arrays.asList("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal");

  private final Map<String, Long> jiffies;
  private final Map<String, Object> record = new LinkedHashMap<>();

  /** Takes it now. */
  Moment() {
    String load = Ask.file("/proc/loadavg");
    Number average = Ask.bean("SystemLoadAverage");
    jiffies = jiffies(Ask.file("/proc/stat"));
    record.put("load_average", load != null || average == null ? load : average.toString());
    record.put("cpu_time_jiffies", jiffies);
    record.put("frequency_khz", Ask.file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"));
    record.put("throttled", throttled());
    record.put("memory_available_kb", Facts.memoryKb("MemAvailable", "FreePhysicalMemorySize"));
    // Share of all CPUs since it was last asked for: what systems without /proc tell.
    record.put("system_cpu_load", Ask.bean("SystemCpuLoad"));
  }

  /** How often the cores were slowed down for heat since they started; null where it isn't told. */
  private static Long throttled() {
    List<String> counts = Facts.ofEveryCpu("thermal_throttle/core_throttle_count");
    return counts.isEmpty() ? null : counts.stream().mapToLong(Long::parseLong).sum();
  }

  /** The first line of proc(5)'s stat by kind; null where there is none. */
  static Map<String, Long> jiffies(String stat) {
    String[] words = stat == null ? new String[0] : stat.split("\n")[0].trim().split("\\s+");
    if (words.length < KINDS.size() + 1) {
      return null;
    }
    Map<String, Long> found = new LinkedHashMap<>();
    for (int i = 0; i < KINDS.size(); i++) {
      found.put(KINDS.get(i), Long.valueOf(words[i + 1]));
    }
    return found;
  }

  Map<String, Object> record() {
    return record;
  }

  /** Share of all CPU time between two moments that a hypervisor took away; null where it isn't told. */
  static Double stealShare(Map<String, Long> before, Map<String, Long> after) {
    if (before == null || after == null) {
      return null;
    }
    long total = sum(after) - sum(before);
    return total <= 0 ? null : Math.round(1e6 * (after.get("steal") - before.get("steal")) / total) / 1e6;
  }

  Double stealShareUntil(Moment after) {
    return stealShare(jiffies, after.jiffies);
  }

  private static long sum(Map<String, Long> jiffies) {
    return jiffies.values().stream().mapToLong(Long::longValue).sum();
  }
}
