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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jcarerun.probe.Deadline;
import jcarerun.probe.IterationLog;
import jcarerun.probe.LogFlags;
import jcarerun.probe.Observations;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

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

  /** A fork of JMH's: a JVM. */
  private static final class JmhFork extends Fork {
    private final Path gcLog;
    private final CompilerLogFile compilerLog;
    private final List<String> args;
    /** Whether the fork runs an iteration more than it records, see {@link IterationLog}. */
    private final boolean sampled;

    /**
     * Completes a fork's arguments.
     *
     * @param timeoutSeconds after which the forked JVM ends itself; 0 for never
     */
    JmhFork(ForkPlan plan, int timeoutSeconds) {
      super(plan);
      this.gcLog = Paths.get("gc", plan.id() + ".log");
      this.compilerLog = new CompilerLogFile(plan.id());
      this.args = new ArrayList<>(plan.args);
      args.addAll(Arrays.asList("-foe", "true", "-rf", "json", "-rff", slashed(json), "-o", slashed(text),
          "-prof", IterationLog.class.getName()));
      append("-Djcarerun.fork=" + plan.number);
      append("-Djcarerun.iterations=" + ITERATIONS);
      append("-Djcarerun.observations=" + OBSERVATIONS);
      if (timeoutSeconds > 0) {
        append("-D" + Deadline.PROPERTY + "=" + timeoutSeconds);
      }
      LogFlags.collections(slashed(gcLog)).forEach(this::append);
      // A cold shot is what it is: it needs no proof of its warm-up, and one more of it could take minutes.
      boolean cold = ForkPlan.options(args).getBenchModes().contains(Mode.SingleShotTime);
      this.sampled = !cold && plan.isExternal();
      if (!cold) {
        LogFlags.compilations(slashed(compilerLog.written)).forEach(this::append);
        append("-Djcarerun.stacks=" + slashed(compilerLog.stacks));
      }
    }

    private void append(String jvmArg) {
      args.addAll(Arrays.asList("-jvmArgsAppend", jvmArg));
    }

    @Override
    List<String> command() {
      List<String> command = new ArrayList<>(Arrays.asList(
          "java", "-Djmh.ignoreLock=true", "-Djmh.blackhole.autoDetect=false"));
      command.addAll(plan.isExternal() ? Arrays.asList("-cp", ForkPlan.classPath(), "org.openjdk.jmh.Main")
          : Arrays.asList("-jar", "benchmarks.jar"));
      command.addAll(args);
      return command;
    }

    /** Runs the fork; of a failure the stack trace, if any, is in the text file then. */
    @Override
    Interference.Window run(RoundFiles files) throws IOException {
      Collection<RunResult> results;
      try {
        results = new Runner(ForkPlan.options(args)).run();
      } catch (RunnerException | RuntimeException e) {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(
            text, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
          e.printStackTrace(out);
        }
        throw new ForkFailure(rootCause(e), e);
      }
      if (results.size() != 1) {
        throw new ForkFailure("JMH gave " + results.size() + " results, not 1", null);
      }
      BenchmarkParams params = results.iterator().next().getParams();
      int iterations = params.getWarmup().getCount() + params.getMeasurement().getCount();
      List<String> rows = takeRows(files, iterations - (sampled ? 1 : 0));
      checkNotEmpty(json);
      checkNotEmpty(gcLog);
      compilerLog.keep();
      return Interference.Window.of(rows);
    }

    /** What lies at the bottom of an exception of JMH's, which hides the benchmark's own among the suppressed ones. */
    private static String rootCause(Throwable failure) {
      Throwable root = failure;
      for (Throwable next = next(root); next != null && next != root; next = next(root)) {
        root = next;
      }
      String message = String.valueOf(root.getMessage());
      if (message.endsWith("exit code " + Deadline.EXIT_CODE)) {
        return "didn't end within its time (--fork-timeout)";
      }
      // Ours are written to be read alone; others need their type.
      return root.getClass() == IllegalStateException.class || root.getClass() == IllegalArgumentException.class
          ? message : root.toString();
    }

    private static Throwable next(Throwable failure) {
      if (failure.getCause() != null) {
        return failure.getCause();
      }
      return failure.getSuppressed().length == 0 ? null : failure.getSuppressed()[0];
    }
  }

  /** A fork of a native program. It leaves what a fork of JMH's leaves, except a GC log. */
  private static final class NativeFork extends Fork {
    /** How often an iteration repeats the operation at least, among the arguments of the fork's JVM. */
    private static final String LEAST_TIMES = "-Djcarerun.least-times=";

    private final NativeProgram program;
    private final int timeoutSeconds;
    private final int iterations;
    private final List<String> words;

    NativeFork(ForkPlan plan, NativeProgram program, int timeoutSeconds) {
      super(plan);
      this.program = program;
      this.timeoutSeconds = timeoutSeconds;
      CommandLineOptions options = ForkPlan.options(plan.args);
      this.iterations = options.getMeasurementIterations().orElse(1);
      this.words = NativeProgram.words(plan.benchmark(), plan.parameters());
      words.addAll(Arrays.asList(
          "--benchmark", plan.benchmark(), "--bench-mode", options.getBenchModes().iterator().next().shortLabel(),
          "--iterations", String.valueOf(iterations), "--fork", String.valueOf(plan.number),
          "--rows", slashed(ITERATIONS), "--json", slashed(json)));
      if (options.getMeasurementTime().hasValue()) {
        words.addAll(Arrays.asList("--iteration-ms",
            String.valueOf(options.getMeasurementTime().get().convertTo(TimeUnit.MILLISECONDS))));
      }
      for (String argument : options.getJvmArgs().orElse(Collections.emptyList())) {
        if (argument.startsWith(LEAST_TIMES)) {
          words.addAll(Arrays.asList("--least-times", argument.substring(LEAST_TIMES.length())));
        }
      }
    }

    @Override
    List<String> command() {
      return program.command(words);
    }

    @Override
    Interference.Window run(RoundFiles files) throws IOException {
      Files.write(text, Collections.singletonList(String.join(" ", command())), StandardCharsets.UTF_8);
      Integer status = program.run(words, text.toFile(), timeoutSeconds);
      if (status == null) {
        throw new ForkFailure("the program did not end within " + timeoutSeconds + " s (--fork-timeout)", null);
      }
      if (status != 0) {
        List<String> said = new ArrayList<>(Files.readAllLines(text, StandardCharsets.UTF_8));
        throw new ForkFailure("status " + status + ": " + said.get(said.size() - 1), null);
      }
      List<String> rows = takeRows(files, iterations);
      checkNotEmpty(json);
      return Interference.Window.of(rows);
    }
  }
}
