package jcarerun.round;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;

/** A fork to be run: a process that leaves its logs in the working directory. */
abstract class Fork {
  static final Path ITERATIONS = Paths.get("iterations.csv");

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

  /** The whole command line by which the same fork is run by hand. */
  abstract List<String> command();

  /**
   * Runs the fork, looks whether everything it had to leave is there, and gives its iterations' window.
   *
   * @throws ForkFailure saying in one line what went wrong
   */
  abstract ForkWindow run() throws IOException;

  /** The rows that a fork appended to iterations.csv, after those that were there. */
  List<String> newRows(int rowsBefore, int iterations) throws IOException {
    List<String> rows = Files.readAllLines(ITERATIONS, StandardCharsets.US_ASCII);
    long own = rows.stream().skip(rowsBefore).filter(row -> row.startsWith(plan.number + ",")).count();
    if (rows.size() != rowsBefore + iterations || own != iterations) {
      throw new ForkFailure(ITERATIONS + " has " + own + " new rows of this fork and "
          + (rows.size() - rowsBefore - own) + " others, must have " + iterations + " and 0", null);
    }
    return rows.subList(rowsBefore, rows.size());
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
