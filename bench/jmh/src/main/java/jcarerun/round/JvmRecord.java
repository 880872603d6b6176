package jcarerun.round;

import java.io.File;
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
    // Java prints its version to stderr; the flags go to stdout alone.
    ask(command(ForkPlan.options(forks.get(0).args)), Paths.get("jvm", "version.txt"), "-version");
    Set<String> done = new HashSet<>();
    for (ForkPlan fork : forks) {
      List<String> command = command(ForkPlan.options(fork.args));
      String profile = profile(command);
      if (done.add(profile)) {
        // Diagnostic flags are unlocked for the record only: most intrinsics' flags are diagnostic.
        ask(command, Paths.get("jvm", "flags-" + profile + ".txt"),
            "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal", "-version");
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

  private static void ask(List<String> command, Path file, String... more) throws IOException {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(Arrays.asList(more));
    File other = File.createTempFile("jcarerun", ".txt");
    try {
      ProcessBuilder builder = new ProcessBuilder(whole);
      boolean version = more.length == 1;
      builder.redirectError(version ? file.toFile() : other).redirectOutput(version ? other : file.toFile());
      int code = builder.start().waitFor();
      if (code != 0 || Files.size(file) == 0) {
        throw new ForkFailure("the JVM doesn't start (exit code " + code + "): "
            + String.join(" ", Files.readAllLines(version ? file : other.toPath())), null);
      }
    } catch (InterruptedException e) {
      throw new ForkFailure("interrupted while asking the JVM for its version", e);
    } finally {
      Files.deleteIfExists(other.toPath());
    }
  }
}
