package jcarerun.round;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * A fork of a native program. It leaves what a fork of JMH's leaves, except a GC log.
 */
final class NativeFork extends Fork {
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
    Integer status = NativeProgram.finish(program.process(words, text.toFile()), timeoutSeconds);
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
