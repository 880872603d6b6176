package jcarerun.round;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jcarerun.probe.IterationLog;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** JMH's result of a fork of a program that knows nothing of JMH: from its rows of iterations.csv. */
final class ProgramResult {
  private static final List<String> COLUMNS = Arrays.asList(IterationLog.HEADER.split(","));
  private static final int DURATION = COLUMNS.indexOf("duration_ns");
  private static final int OPERATIONS = COLUMNS.indexOf("operations");

  private ProgramResult() {}

  /**
   * The text of a file of JMH's JSON. What JMH derives from the scores beyond their mean is "NaN", JMH's own word for
   * unknown.
   *
   * @throws ForkFailure for a row that is not of the form of iterations.csv
   */
  static String of(ForkPlan plan, List<String> rows) {
    List<Double> scores = new ArrayList<>();
    for (String row : rows) {
      scores.add(nanosPerOperation(row));
    }
    CommandLineOptions options = ForkPlan.options(plan.args);
    String time = options.getMeasurementTime().hasValue() ? options.getMeasurementTime().get().toString()
        : "single-shot";
    double mean = scores.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    Map<String, String> parameters = new TreeMap<>(plan.parameters());
    parameters.remove("provider");
    String params = parameters.entrySet().stream().map(one -> quoted(one.getKey()) + ": " + quoted(one.getValue()))
        .collect(Collectors.joining(", "));
    return "[{\"jmhVersion\": \"none\", \"benchmark\": " + quoted(plan.benchmark()) + ", \"mode\": "
        + quoted(options.getBenchModes().iterator().next().shortLabel())
        + ", \"threads\": 1, \"forks\": 1, \"jvm\": \"\", \"jvmArgs\": [], \"warmupIterations\": 0, "
        + "\"warmupTime\": \"none\", \"warmupBatchSize\": 1, \"measurementIterations\": " + scores.size()
        + ", \"measurementTime\": " + quoted(time) + ", \"measurementBatchSize\": 1,\n \"params\": {" + params
        + "},\n \"primaryMetric\": {\"score\": " + mean + ", \"scoreError\": \"NaN\", \"scoreConfidence\": "
        + "[\"NaN\", \"NaN\"], \"scorePercentiles\": {\"0.0\": " + Collections.min(scores) + ", \"100.0\": "
        + Collections.max(scores) + "}, \"scoreUnit\": \"ns/op\", \"rawData\": [" + scores + "]},\n"
        + " \"secondaryMetrics\": {}}]";
  }

  private static double nanosPerOperation(String row) {
    String[] fields = row.split(",", -1);
    if (fields.length != COLUMNS.size() || !fields[DURATION].matches("[1-9][0-9]{0,17}")
        || !fields[OPERATIONS].matches("[1-9][0-9]{0,17}")) {
      throw new ForkFailure("'" + row + "' is no row of " + Fork.ITERATIONS + ", which is "
          + String.join(",", COLUMNS), null);
    }
    return (double) Long.parseLong(fields[DURATION]) / Long.parseLong(fields[OPERATIONS]);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
