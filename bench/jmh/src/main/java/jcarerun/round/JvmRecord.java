package jcarerun.round;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.util.Utils;

/** Writes jvm/version.txt and a jvm/flags-PROFILE.txt for each CPU profile: what the forks' JVMs say of themselves. */
final class JvmRecord {
  private static final String PROPERTY = "-Djcarerun.cpu-profile=";

  /** The profile of a fork that names none. */
  private static final String NATIVE = "native";

  private JvmRecord() {}

  /** Asks a JVM with the arguments of each profile's first fork; throws ForkFailure when one doesn't start. */
  static void write(List<ForkPlan> forks) throws IOException {
    Path version = Paths.get("jvm", "version.txt");
    Set<String> done = new HashSet<>();
    for (ForkPlan fork : forks) {
      List<String> command = command(ForkPlan.options(fork.args));
      String profile = profile(command);
      if (done.add(profile)) {
        ask(command, Paths.get("jvm", "flags-" + profile + ".txt"), version);
      }
    }
  }

  /** What starts a fork's JVM: the program and its options. */
  static List<String> command(CommandLineOptions options) {
    List<String> command = new ArrayList<>();
    command.add(options.getJvm().orElse(Utils.getCurrentJvm()));
    command.addAll(options.getJvmArgsPrepend().orElse(Collections.emptyList()));
    command.addAll(options.getJvmArgs().orElse(Collections.emptyList()));
    return command;
  }

  private static String profile(List<String> command) {
    String profile = command.stream().filter(arg -> arg.startsWith(PROPERTY)).findFirst()
        .map(arg -> arg.substring(PROPERTY.length())).orElse(NATIVE);
    if (!profile.matches("[a-z0-9][a-z0-9-]*")) {
      throw new IllegalArgumentException(PROPERTY + profile + " must have small letters, digits and hyphens");
    }
    return profile;
  }

  /** Java prints its flags to stdout and its version to stderr. */
  private static void ask(List<String> command, Path flags, Path version) throws IOException {
    List<String> whole = new ArrayList<>(command);
    // Diagnostic flags are unlocked for the record only: most intrinsics' flags are diagnostic.
    whole.addAll(Arrays.asList("-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal", "-version"));
    try {
      int code = new ProcessBuilder(whole).redirectError(version.toFile()).redirectOutput(flags.toFile()).start()
          .waitFor();
      if (code != 0 || Files.size(flags) == 0 || Files.size(version) == 0) {
        throw new ForkFailure("the JVM doesn't start (exit code " + code + "): "
            + String.join(" ", Files.readAllLines(version)) + String.join(" ", Files.readAllLines(flags)), null);
      }
    } catch (InterruptedException e) {
      throw new ForkFailure("interrupted while asking the JVM for its version", e);
    }
  }
}
