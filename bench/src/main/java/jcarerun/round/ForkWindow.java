package jcarerun.round;

import java.util.Arrays;
import java.util.List;
import jcarerun.probe.IterationLog;

/** A fork's iterations together: how long they lasted, and what disturbed them from inside the JVM. */
final class ForkWindow {
  private static final List<String> COLUMNS = Arrays.asList(IterationLog.HEADER.split(","));

  final double windowMs;
  /** Of the worker threads; null where the system doesn't tell. */
  final Long involuntarySwitches;
  /** The collectors' time; null where the JVM doesn't tell. */
  final Long gcMs;

  private ForkWindow(double windowMs, Long involuntarySwitches, Long gcMs) {
    this.windowMs = windowMs;
    this.involuntarySwitches = involuntarySwitches;
    this.gcMs = gcMs;
  }

  /** Sums a fork's rows of iterations.csv. */
  static ForkWindow of(List<String> rows) {
    double windowMs = 0;
    for (String row : rows) {
      windowMs += Double.parseDouble(field(row, "end_uptime_ms")) - Double.parseDouble(field(row, "start_uptime_ms"));
    }
    return new ForkWindow(windowMs, sum(rows, "involuntary_switches"), sum(rows, "gc_ms"));
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
