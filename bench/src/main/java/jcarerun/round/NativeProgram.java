package jcarerun.round;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

  private static final String PACKAGE = "jcarerun.workload.";

  /** A workload's benchmark to the program's operation; the first of each workload answers for it. */
  private static final Map<String, String> OPERATIONS = new LinkedHashMap<>();

  static {
    OPERATIONS.put("KeySetup.init", "key-setup");
    OPERATIONS.put("KeyPairGeneration.generate", "generate");
    OPERATIONS.put("BulkCipher.encrypt", "encrypt");
    OPERATIONS.put("BulkCipher.decrypt", "decrypt");
    OPERATIONS.put("BulkDigest.digest", "digest");
    OPERATIONS.put("BulkMac.mac", "hmac");
    OPERATIONS.put("PublicKeyCipher.encrypt", "encrypt");
    OPERATIONS.put("PublicKeyCipher.decrypt", "decrypt");
    OPERATIONS.put("Signing.sign", "sign");
    OPERATIONS.put("Signing.verifySignature", "verify");
    OPERATIONS.put("Agreeing.agree", "agree");
  }

  /** Parameters that the program has no option for: it knows the keys by the algorithm. */
  private static final Set<String> JAVA_ONLY = new HashSet<>(Arrays.asList("provider", "keys"));

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
    String name = benchmark.startsWith(PACKAGE) ? benchmark.substring(PACKAGE.length()) : benchmark;
    if (!OPERATIONS.containsKey(name)) {
      throw new IllegalArgumentException("native programs have no " + name + ", only " + OPERATIONS.keySet());
    }
    List<String> words = new ArrayList<>(Arrays.asList("--operation", OPERATIONS.get(name)));
    parameters.forEach((parameter, value) -> {
      // A length of 0 stands for the one that the algorithm's name tells.
      if (!JAVA_ONLY.contains(parameter) && !value.equals("0")) {
        words.add("--" + parameter);
        words.add(value);
      }
    });
    return words;
  }

  /** The words that ask a question; see {@link OfferQuestion}. */
  static List<String> words(OfferQuestion question) {
    String workload = question.type + '.';
    String benchmark = OPERATIONS.keySet().stream().map(PACKAGE::concat).filter(name -> name.startsWith(workload))
        .findFirst().orElse(workload + '?');
    return words(benchmark, question.parameters);
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
