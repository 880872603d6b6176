package jcarerun.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** CPU time of the whole JVM in nanoseconds, as Linux accounts it in ticks of 10 ms; unknown elsewhere. */
public final class ProcessCpu {
  private static final Path STAT = Paths.get("/proc/self/stat");
  /** Wine shows Windows' JVM the file of Wine's own server, not of the JVM. */
  private static final boolean KNOWN = !System.getProperty("os.name").startsWith("Windows") && Files.isReadable(STAT);
  private static final long TICK_NS = 10_000_000L;

  final long userNs;
  final long systemNs;

  private ProcessCpu(long userNs, long systemNs) {
    this.userNs = userNs;
    this.systemNs = systemNs;
  }

  /** CPU time until now, or null where the system doesn't tell. */
  static ProcessCpu now() {
    if (!KNOWN) {
      return null;
    }
    try {
      return parse(new String(Files.readAllBytes(STAT), StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new IllegalStateException("can't read " + STAT + ": " + e.getMessage(), e);
    }
  }

  /** User and system time until now together, in nanoseconds, or null where the system doesn't tell. */
  public static Long nanos() {
    ProcessCpu now = now();
    return now == null ? null : Long.valueOf(now.userNs + now.systemNs);
  }

  /** Reads the line of proc(5), whose second field, the name in parentheses, may hold anything. */
  static ProcessCpu parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    // utime and stime are fields 14 and 15, counted from 1, and these here start with field 3.
    return new ProcessCpu(Long.parseLong(fields[11]) * TICK_NS, Long.parseLong(fields[12]) * TICK_NS);
  }
}
