package jcarerun.round;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/** Runs one fork with its logs into the working directory, and looks whether everything it had to leave is there. */
final class ForkRun {
  static final Path ITERATIONS = Paths.get("iterations.csv");

  private final ForkPlan plan;
  private final Path json;
  private final Path text;
  private final Path gcLog;
  private final List<String> args;

  /**
   * Completes a fork's arguments.
   *
   * @param timeoutSeconds after which the forked JVM ends itself; 0 for never
   */
  ForkRun(ForkPlan plan, int timeoutSeconds) {
    this.plan = plan;
    this.json = Paths.get("jmh", plan.id() + ".json");
    this.text = Paths.get("jmh", plan.id() + ".txt");
    this.gcLog = Paths.get("gc", plan.id() + ".log");
    this.args = new ArrayList<>(plan.args);
    args.addAll(Arrays.asList("-foe", "true", "-rf", "json", "-rff", slashed(json), "-o", slashed(text),
        "-prof", IterationLog.class.getName()));
    append("-Djcarerun.fork=" + plan.number);
    append("-Djcarerun.iterations=" + ITERATIONS);
    append("-Djcarerun.observations=observations.csv");
    if (timeoutSeconds > 0) {
      append("-D" + Deadline.PROPERTY + "=" + timeoutSeconds);
    }
    GcLog.flags(slashed(gcLog)).forEach(this::append);
  }

  private void append(String jvmArg) {
    args.addAll(Arrays.asList("-jvmArgsAppend", jvmArg));
  }

  /** All arguments for JMH. */
  List<String> args() {
    return args;
  }

  /**
   * Runs the fork.
   *
   * @throws ForkFailure saying in one line what went wrong; the stack trace, if any, is in the text file then
   */
  void run() throws IOException {
    int rowsBefore = Files.readAllLines(ITERATIONS).size();
    Collection<RunResult> results;
    try {
      results = new Runner(ForkPlan.options(args)).run();
    } catch (RunnerException | RuntimeException e) {
      try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(
          text, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
        e.printStackTrace(out);
      }
      throw new ForkFailure(ForkFailure.rootCause(e), e);
    }
    if (results.size() != 1) {
      throw new ForkFailure("JMH gave " + results.size() + " results, not 1", null);
    }
    BenchmarkParams params = results.iterator().next().getParams();
    checkRows(rowsBefore, params.getWarmup().getCount() + params.getMeasurement().getCount());
    checkNotEmpty(json);
    checkNotEmpty(gcLog);
  }

  private void checkRows(int rowsBefore, int iterations) throws IOException {
    List<String> rows = Files.readAllLines(ITERATIONS, StandardCharsets.US_ASCII);
    long own = rows.stream().skip(rowsBefore).filter(row -> row.startsWith(plan.number + ",")).count();
    if (rows.size() != rowsBefore + iterations || own != iterations) {
      throw new ForkFailure(ITERATIONS + " has " + own + " new rows of this fork and "
          + (rows.size() - rowsBefore - own) + " others, must have " + iterations + " and 0", null);
    }
  }

  private static void checkNotEmpty(Path file) throws IOException {
    if (!Files.isRegularFile(file) || Files.size(file) == 0) {
      throw new ForkFailure(slashed(file) + " is missing or empty", null);
    }
  }

  /** File names are written alike on every system, for commands.txt; every JVM takes them so. */
  private static String slashed(Path path) {
    return path.toString().replace('\\', '/');
  }
}
