package jcarerun.round;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import jcarerun.probe.JvmCounters;

/**
 * What others took of the CPUs that this process may use, as Linux counts it from the machine's start: time of other
 * processes, time that a hypervisor gave to another machine, and how often the CPUs were slowed down or the process
 * held back.
 *
 * <p>Each is null where the kernel has none, and a reading from which an earlier one is to be subtracted.
 */
final class CpuPressure {
  private static final int TICK_MS = 10;
  /** user, nice, system, idle, iowait, irq, softirq, steal; what follows in proc(5) is counted in user and nice. */
  private static final int KINDS = 8;
  private static final int IDLE = 3;
  private static final int IOWAIT = 4;
  private static final int STEAL = 7;

  /** Of all processes but this one and its children that have ended. */
  final Long othersMs;
  final Long stealMs;
  /** All time, idle or not. */
  final Long totalMs;
  /** The quota's throttled periods, and the thermal throttle events. */
  final Long throttled;

  private CpuPressure(ControlGroup group) {
    List<Integer> allowed = JvmCounters.cpus(group.status("Cpus_allowed_list").orElse(""));
    long[] ticks = ticks(group.read("proc/stat"), allowed);
    Long own = ownTicks(group.read("proc/self/stat"));
    long total = ticks == null ? 0 : Arrays.stream(ticks).sum();
    this.totalMs = ticks == null ? null : Long.valueOf(TICK_MS * total);
    this.stealMs = ticks == null ? null : Long.valueOf(TICK_MS * ticks[STEAL]);
    this.othersMs = ticks == null || own == null ? null
        : Long.valueOf(TICK_MS * (total - ticks[IDLE] - ticks[IOWAIT] - ticks[STEAL] - own));
    this.throttled = throttled(group, allowed);
  }

  static CpuPressure now() {
    return read(Paths.get("/"));
  }

  static CpuPressure read(Path root) {
    return new CpuPressure(new ControlGroup(root));
  }

  /** The given CPUs' time by kind, in ticks; null unless the file has a line for each. */
  static long[] ticks(List<String> stat, List<Integer> cpus) {
    List<String> names = cpus.stream().map(cpu -> "cpu" + cpu).collect(Collectors.toList());
    long[] sums = new long[KINDS];
    int found = 0;
    for (String line : stat) {
      String[] words = line.trim().split("\\s+");
      if (words.length > KINDS && names.contains(words[0])) {
        for (int kind = 0; kind < KINDS; kind++) {
          sums[kind] += Long.parseLong(words[kind + 1]);
        }
        found++;
      }
    }
    return found == 0 || found < cpus.size() ? null : sums;
  }

  /** User and system time of this process and its children; Wine shows Windows' JVM the file of Wine's own server. */
  private static Long ownTicks(List<String> stat) {
    if (stat.isEmpty() || System.getProperty("os.name").startsWith("Windows")) {
      return null;
    }
    // utime, stime, cutime and cstime are fields 14 to 17, counted from 1.
    return Arrays.stream(JvmCounters.statFields(stat.get(0)), 11, 15).mapToLong(Long::parseLong).sum();
  }

  private static Long throttled(ControlGroup group, List<Integer> cpus) {
    List<String> counts = new ArrayList<>();
    for (String line : group.lines("cpu", "cpu.stat")) {
      if (line.startsWith("nr_throttled ")) {
        counts.add(line.substring(line.indexOf(' ')));
      }
    }
    for (int cpu : cpus) {
      for (String part : new String[] {"core", "package"}) {
        counts.addAll(group.read(
            "sys/devices/system/cpu/cpu" + cpu + "/thermal_throttle/" + part + "_throttle_count"));
      }
    }
    return counts.isEmpty() ? null : counts.stream().mapToLong(count -> Long.parseLong(count.trim())).sum();
  }
}
