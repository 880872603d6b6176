package jcarerun.round;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import jcarerun.probe.Deadline;
import jcarerun.probe.IterationLog;
import jcarerun.probe.LogFlags;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/** A fork of JMH's: a JVM. */
final class JmhFork extends Fork {
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
      throw new ForkFailure(ForkFailure.rootCause(e), e);
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
}
