package jcarerun.round;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** Writes jvm/version.txt and jvm/flags.txt: what a JVM with a fork's arguments says about itself. */
final class JvmRecord {
  private JvmRecord() {}

  /** Asks JVMs with the arguments of the given options; throws ForkFailure when they don't start. */
  static void write(CommandLineOptions options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(options.getJvm().orElse(Paths.get(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(options.getJvmArgsPrepend().orElse(Collections.emptyList()));
    command.addAll(options.getJvmArgs().orElse(Collections.emptyList()));
    // Java prints its version to stderr; the flags go to stdout alone.
    run(command, Paths.get("jvm", "version.txt"), "-version");
    run(command, Paths.get("jvm", "flags.txt"), "-XX:+PrintFlagsFinal", "-version");
  }

  private static void run(List<String> command, Path file, String... more) throws IOException {
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
