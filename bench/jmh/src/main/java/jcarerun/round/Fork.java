package jcarerun.round;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import jcarerun.probe.IterationLog;
import jcarerun.probe.Observations;

/** A fork to be run: a process that leaves its logs in the working directory. */
abstract class Fork {
  static final Path ITERATIONS = Paths.get("iterations.csv");
  static final Path OBSERVATIONS = Paths.get("observations.csv");

  final ForkPlan plan;
  final Path json;
  final Path text;

  Fork(ForkPlan plan) {
    this.plan = plan;
    this.json = Paths.get("jmh", plan.id() + ".json");
    this.text = Paths.get("jmh", plan.id() + ".txt");
  }

  /**
   * The fork that a plan stands for: JMH's, or a native program's where the provider is one.
   *
   * @param timeoutSeconds after which it is ended; 0 for never
   */
  static Fork of(ForkPlan plan, int timeoutSeconds) {
    NativeProgram program = NativeProgram.of(plan);
    return program == null ? new JmhFork(plan, timeoutSeconds) : new NativeFork(plan, program, timeoutSeconds);
  }

  /** The whole command line by which the same fork is run manually. */
  abstract List<String> command();

  /**
   * Runs the fork, checks that everything it had to leave is there, and gives its iterations' window.
   *
   * @throws ForkFailure saying in one line what went wrong
   */
  abstract Interference.Window run(RoundFiles files) throws IOException;

  /** The rows of iterations.csv and observations.csv that the fork has left, taken out of the reach of others. */
  List<String> takeRows(RoundFiles files, int iterations) throws IOException {
    List<String> rows = files.take(ITERATIONS, IterationLog.HEADER, plan.number);
    files.take(OBSERVATIONS, Observations.HEADER, plan.number);
    if (rows.size() != iterations) {
      throw new ForkFailure(ITERATIONS + " has " + rows.size() + " rows of this fork, must have " + iterations, null);
    }
    return rows;
  }

  static void checkNotEmpty(Path file) throws IOException {
    if (!Files.isRegularFile(file) || Files.size(file) == 0) {
      throw new ForkFailure(slashed(file) + " is missing or empty", null);
    }
  }

  /** File names are written alike on every system, for commands.txt; every JVM takes them so. */
  static String slashed(Path path) {
    return path.toString().replace('\\', '/');
  }
}
