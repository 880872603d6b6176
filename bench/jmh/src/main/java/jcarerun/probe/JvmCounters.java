package jcarerun.probe;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Counters of this JVM and of the running thread, each null where JVM or system doesn't have it, and the forms in which
 * Linux writes them. Wine shows a Windows JVM the files of Wine's own server, so that nothing is read from them there.
 */
public final class JvmCounters {
  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
  private static final Path STAT = readable("/proc/self/stat");
  private static final Path STATUS = readable("/proc/thread-self/status");
  private static final String SWITCHES = "nonvoluntary_ctxt_switches:";
  private static final long TICK_NS = 10_000_000L;

  private JvmCounters() {}

  /** Milliseconds that the collectors have worked, all together. */
  static Long collectorMs() {
    long sum = 0;
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      long time = bean.getCollectionTime();
      if (time < 0) {
        return null;
      }
      sum += time;
    }
    return sum;
  }

  /** Milliseconds that the compilers have worked, all threads together. */
  public static Long compilerMs() {
    return COMPILER == null || !COMPILER.isCompilationTimeMonitoringSupported() ? null
        : Long.valueOf(COMPILER.getTotalCompilationTime());
  }

  /** Involuntary context switches of the running thread, as Linux counts them. */
  static Long involuntarySwitches() {
    return STATUS == null ? null : switches(read(STATUS));
  }

  /** The count in the text of proc(5)'s status; null if it has none. */
  static Long switches(String status) {
    int key = status.indexOf(SWITCHES);
    return key < 0 ? null : Long.valueOf(status.substring(key + SWITCHES.length()).trim().split("\\s")[0]);
  }

  /** CPU time of the whole JVM in nanoseconds, user and system, as Linux accounts it in ticks of 10 ms. */
  static long[] processCpuNs() {
    return STAT == null ? null : processCpuNs(read(STAT));
  }

  /** User and system time in the line of proc(5). */
  static long[] processCpuNs(String stat) {
    String[] fields = statFields(stat);
    // utime and stime are fields 14 and 15, counted from 1.
    return new long[] {Long.parseLong(fields[11]) * TICK_NS, Long.parseLong(fields[12]) * TICK_NS};
  }

  /** CPU time of the whole JVM in nanoseconds, user and system together. */
  public static Long allCpuNs() {
    long[] now = processCpuNs();
    return now == null ? null : Long.valueOf(now[0] + now[1]);
  }

  /** The fields from the third on of a process's stat in proc(5); the second, in parentheses, may hold anything. */
  public static String[] statFields(String stat) {
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
  }

  /** The numbers in a list of CPUs as Linux writes it, such as {@code 0-1,4}; empty where it is none. */
  public static List<Integer> cpus(String list) {
    List<Integer> found = new ArrayList<>();
    if (list.matches("\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?)*")) {
      for (String part : list.split(",")) {
        String[] ends = part.split("-");
        for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
          found.add(cpu);
        }
      }
    }
    return found;
  }

  private static Path readable(String file) {
    Path path = Paths.get(file);
    return !System.getProperty("os.name").startsWith("Windows") && Files.isReadable(path) ? path : null;
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IllegalStateException("can't read " + file + ": " + e.getMessage(), e);
    }
  }
}
