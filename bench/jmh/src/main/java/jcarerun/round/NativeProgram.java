package jcarerun.round;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import jcarerun.probe.NativeOperation;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * A provider that is a program in native code, such as those of bench/native, and no JCA provider: what it is asked on
 * behalf of a workload.
 *
 * <p>A fork's JVM argument says so: {@code -Djcarerun.provider.<id>=native:<program>}.
 */
final class NativeProgram {
  /** What a CPU profile's script starts instead of Java. */
  private static final String PROGRAM = "JCARERUN_PROGRAM";

  /** Parameters that the program has no option for: it knows the keys by the algorithm, and checks before it times. */
  private static final Set<String> JAVA_ONLY = new HashSet<>(Arrays.asList("provider", "keys", "check"));

  final String path;
  /** Sets a CPU profile's variables, then starts the program; null where there is nothing to set. */
  private final String script;

  private NativeProgram(String path, String script) {
    this.path = path;
    this.script = script;
  }

  /** The program of a fork; null for one of Java's. */
  static NativeProgram of(ForkPlan fork) {
    CommandLineOptions options = ForkPlan.options(fork.args);
    String prefix = "-Djcarerun.provider." + fork.parameters().get("provider") + "=native:";
    for (String argument : options.getJvmArgs().orElse(Collections.emptyList())) {
      if (argument.startsWith(prefix)) {
        return new NativeProgram(argument.substring(prefix.length()), options.getJvm().orElse(null));
      }
    }
    return null;
  }

  /**
   * The words that ask for a benchmark's operation.
   *
   * @throws IllegalArgumentException for a benchmark that no native program has
   */
  static List<String> words(String benchmark, Map<String, String> parameters) {
    int dot = benchmark.lastIndexOf('.');
    return words(benchmark.substring(0, dot), parameters, (method, its) -> method.equals(benchmark.substring(dot + 1)));
  }

  /** The words that ask a question; see {@link CapabilityQuestion}. */
  static List<String> words(CapabilityQuestion question) {
    return words(question.type, question.parameters, (method, its) -> its.answers());
  }

  private static List<String> words(String type, Map<String, String> parameters,
      BiPredicate<String, NativeOperation> wanted) {
    NativeOperation operation = operation(type, wanted);
    Map<String, String> options = new TreeMap<>(parameters);
    for (String given : operation.given()) {
      String[] pair = given.split("=", 2);
      String value = options.remove(pair[0]);
      if (value != null && !value.equals(pair[1])) {
        throw new IllegalArgumentException("native programs have " + operation.value() + " with " + given
            + " only, not " + value);
      }
    }
    List<String> words = new ArrayList<>(Arrays.asList("--operation", operation.value()));
    options.forEach((parameter, value) -> {
      // A length of 0 stands for the one that the algorithm's name tells.
      if (!JAVA_ONLY.contains(parameter) && !value.equals("0")) {
        words.add("--" + parameter);
        words.add(value);
      }
    });
    return words;
  }

  private static NativeOperation operation(String type, BiPredicate<String, NativeOperation> wanted) {
    try {
      for (Method method : Class.forName(type).getMethods()) {
        NativeOperation its = method.getAnnotation(NativeOperation.class);
        if (its != null && wanted.test(method.getName(), its)) {
          return its;
        }
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("there is no workload " + type, e);
    }
    throw new IllegalArgumentException("native programs have nothing for " + type + ": it has no @NativeOperation");
  }

  /** A process of the program that is about to start. */
  ProcessBuilder process(List<String> words, File output) {
    List<String> command = new ArrayList<>(Collections.singletonList(script == null ? path : script));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output));
    builder.environment().put(PROGRAM, path);
    return builder;
  }

  /** The same as a shell takes it. */
  List<String> command(List<String> words) {
    List<String> command = new ArrayList<>();
    if (script != null) {
      command.addAll(Arrays.asList("env", PROGRAM + '=' + path, script));
    } else {
      command.add(path);
    }
    command.addAll(words);
    return command;
  }

  /**
   * Runs a process to its end.
   *
   * @param timeoutSeconds after which it is ended; 0 for never
   * @return its exit status, or null where it had to be ended
   */
  static Integer finish(ProcessBuilder builder, int timeoutSeconds) throws IOException {
    Process process = builder.start();
    try {
      long limit = timeoutSeconds == 0 ? Long.MAX_VALUE : timeoutSeconds;
      return process.waitFor(limit, TimeUnit.SECONDS) ? process.exitValue() : null;
    } catch (InterruptedException e) {
      throw new ForkFailure("interrupted while a native program runs", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
