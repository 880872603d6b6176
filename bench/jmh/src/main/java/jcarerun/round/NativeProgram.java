package jcarerun.round;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import jcarerun.probe.ProbedWorkload;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * A provider that is a program in native code, such as those of bench/native, and no JCA provider: what it is asked on
 * behalf of a workload.
 *
 * <p>A fork's JVM argument says so: {@code -Djcarerun.provider.<id>=native:<program>}.
 */
final class NativeProgram {
  /** The program's exit status when its own check fails. */
  private static final int WRONG = 1;

  /** What a CPU profile's script starts instead of Java. */
  private static final String PROGRAM = "JCARERUN_PROGRAM";

  /** Parameters that the program has no option for: it knows the keys by the algorithm, and checks before it times. */
  private static final Set<String> JAVA_ONLY = new HashSet<>(Arrays.asList("provider", "keys", "check"));

  private final String path;
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

  /** The words that ask a question. */
  private static List<String> words(CapabilityProbe.Question question) {
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

  /** The command line as a shell takes it. */
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
   * Runs the program to its end.
   *
   * @param timeoutSeconds after which it is ended; 0 for never
   * @return its exit status, or null where it had to be ended
   */
  Integer run(List<String> words, File output, int timeoutSeconds) throws IOException {
    List<String> command = new ArrayList<>(Collections.singletonList(script == null ? path : script));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output));
    builder.environment().put(PROGRAM, path);
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

  /**
   * Asks what the program offers, as {@link CapabilityMain} asks a JCA provider, with the same answers.
   *
   * @return yes, no or wrong; SHA-256 of the answer or nothing; why, in words
   */
  String[] ask(CapabilityProbe.Question question, int timeoutSeconds) throws IOException {
    File said = File.createTempFile("jcarerun", ".txt");
    try {
      List<String> words = words(question);
      words.add("--check");
      Integer status = runAfresh(words, said, timeoutSeconds);
      if (status == null || status != 0) {
        String why = status == null ? "did not answer within " + timeoutSeconds + " s" : last(said, status);
        return new String[] {status != null && status == WRONG ? "wrong" : "no", "", why};
      }
      if (!isRepeatable(question)) {
        return new String[] {"yes", "", ""};
      }
      words.set(words.size() - 1, "--digest");
      status = runAfresh(words, said, timeoutSeconds);
      String digest = last(said, 0);
      if (status == null || status != 0 || !digest.matches("[0-9a-f]{64}")) {
        return new String[] {"wrong", "", "checked, and then no result: " + digest};
      }
      return new String[] {"yes", digest, ""};
    } catch (IllegalArgumentException e) {
      return new String[] {"no", "", e.getMessage()};
    } finally {
      Files.deleteIfExists(said.toPath());
    }
  }

  private static boolean isRepeatable(CapabilityProbe.Question question) {
    try {
      return ProbedWorkload.of(question.type, question.parameters).isRepeatable();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(question.line() + ": " + e, e);
    }
  }

  private Integer runAfresh(List<String> words, File said, int timeoutSeconds) throws IOException {
    Files.write(said.toPath(), new byte[0]);
    if (!new File(path).canExecute()) {
      throw new IllegalArgumentException("there is no program " + path + " here");
    }
    return run(words, said, timeoutSeconds);
  }

  private static String last(File said, int status) throws IOException {
    List<String> lines = Files.readAllLines(said.toPath(), StandardCharsets.UTF_8);
    return lines.isEmpty() ? "ended with status " + status : lines.get(lines.size() - 1).trim();
  }
}
