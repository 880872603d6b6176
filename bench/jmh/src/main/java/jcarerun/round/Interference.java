package jcarerun.round;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jcarerun.probe.IterationLog;

/** What disturbed one fork: a row of interference.csv. What the system has not is null, and empty in the row. */
final class Interference {
  static final String HEADER = "fork,elapsed_ms,window_ms,steal_ms,others_ms,cpu_ms,throttled,spin_before_ns,"
      + "spin_after_ns,spin_reference_ns,involuntary_switches,gc_ms,broken,rerun_as,rerun_of";

  static final String INVOLUNTARY = "involuntary_per_s";

  /** What gates judge, by the names that forks.csv has for it. */
  static final List<String> MEASURES =
      Arrays.asList("steal_share", "others_share", "throttled", INVOLUNTARY, "gc_share", "spin_ratio");

  final ForkPlan plan;
  /** Gate names; see {@link Gates#broken}. */
  final List<String> broken = new ArrayList<>();
  Integer rerunAs;
  /** The calibration that this fork's are compared with; set before it is judged. */
  long spinReferenceNs;

  private final long elapsedMs;
  private final Window window;
  private final Long stealMs;
  private final Long othersMs;
  private final Long cpuMs;
  private final Long throttled;
  private final long spinBeforeNs;
  private final long spinAfterNs;

  Interference(ForkPlan plan, long elapsedMs, Window window, CpuPressure before, CpuPressure after,
      long spinBeforeNs, long spinAfterNs) {
    this.plan = plan;
    this.elapsedMs = elapsedMs;
    this.window = window;
    this.stealMs = difference(before.stealMs, after.stealMs);
    this.othersMs = difference(before.othersMs, after.othersMs);
    this.cpuMs = difference(before.totalMs, after.totalMs);
    this.throttled = difference(before.throttled, after.throttled);
    this.spinBeforeNs = spinBeforeNs;
    this.spinAfterNs = spinAfterNs;
  }

  private static Long difference(Long before, Long after) {
    // A counter of Linux may step back by a tick.
    return before == null || after == null ? null : Math.max(0, after - before);
  }

  /** Each measure that is known by its name: its value, and the amount (ms, events, ns) that it comes from. */
  Map<String, double[]> measures() {
    Map<String, double[]> found = new LinkedHashMap<>();
    Long[] amounts = {
      stealMs, othersMs, throttled, window.involuntarySwitches, window.gcMs, Math.max(spinBeforeNs, spinAfterNs)
    };
    double all = cpuMs == null ? 0 : cpuMs;
    double[] wholes = {all, all, 1, window.windowMs / 1e3, window.windowMs, spinReferenceNs};
    for (int i = 0; i < amounts.length; i++) {
      if (amounts[i] != null && wholes[i] > 0) {
        found.put(MEASURES.get(i), new double[] {amounts[i] / wholes[i], amounts[i]});
      }
    }
    return found;
  }

  /** The row, in the order of {@link #HEADER}. */
  String row() {
    String windowMs = String.format(Locale.ROOT, "%.3f", window.windowMs);
    return Stream.of(plan.number, elapsedMs, windowMs, stealMs, othersMs, cpuMs, throttled, spinBeforeNs, spinAfterNs,
            spinReferenceNs, window.involuntarySwitches, window.gcMs, String.join(";", broken), rerunAs, plan.rerunOf)
        .map(value -> value == null ? "" : value.toString()).collect(Collectors.joining(","));
  }

  /** A fork's iterations together: how long they lasted, and what disturbed them from inside the JVM. */
  static final class Window {
    private static final List<String> COLUMNS = Arrays.asList(IterationLog.HEADER.split(","));

    final double windowMs;
    /** Of the worker threads; null where the system has none. */
    final Long involuntarySwitches;
    /** The collectors' time; null where the JVM has none. */
    final Long gcMs;

    private Window(double windowMs, Long involuntarySwitches, Long gcMs) {
      this.windowMs = windowMs;
      this.involuntarySwitches = involuntarySwitches;
      this.gcMs = gcMs;
    }

    /** Sums a fork's rows of iterations.csv. */
    static Window of(List<String> rows) {
      double windowMs = 0;
      for (String row : rows) {
        windowMs += Double.parseDouble(field(row, "end_uptime_ms")) - Double.parseDouble(field(row, "start_uptime_ms"));
      }
      return new Window(windowMs, sum(rows, "involuntary_switches"), sum(rows, "gc_ms"));
    }

    private static Long sum(List<String> rows, String column) {
      if (rows.stream().anyMatch(row -> field(row, column).isEmpty())) {
        return null;
      }
      return rows.stream().mapToLong(row -> Long.parseLong(field(row, column))).sum();
    }

    private static String field(String row, String column) {
      return row.split(",", -1)[COLUMNS.indexOf(column)];
    }
  }
}
