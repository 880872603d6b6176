package jcarerun.round;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A round run by a JVM of its own in a directory of its own, as the pipeline does it. */
final class Round {
  final Path directory;
  final int exit;
  final List<String> out;
  final List<String> err;

  private Round(Path directory, int exit) throws IOException {
    this.directory = directory;
    this.exit = exit;
    this.out = lines("stdout");
    this.err = lines("stderr");
  }

  /** Gates that no fork breaks. */
  private static final String OPEN = "reruns\t0.2\n";

  /** Runs RoundMain with some arguments on some lines of forks.tsv, in which a space stands for a tab. */
  static Round run(Path directory, List<String> forks, String... args) throws Exception {
    return run(ProcessBuilder.Redirect.PIPE, directory, forks, args);
  }

  /** The same with another standard input than a pipe that stays open. */
  static Round run(ProcessBuilder.Redirect input, Path directory, List<String> forks, String... args) throws Exception {
    if (Files.notExists(directory.resolve(Gates.FILE))) {
      Files.writeString(directory.resolve(Gates.FILE), OPEN);
    }
    if (forks != null) {
      StringBuilder text = new StringBuilder();
      forks.forEach(line -> text.append(line.replace(' ', '\t')).append('\n'));
      Files.writeString(directory.resolve("forks.tsv"), text);
    }
    List<String> command = new ArrayList<>(Arrays.asList(
        System.getProperty("java.home") + "/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
        "-cp", absolute(System.getProperty("java.class.path")), RoundMain.class.getName()));
    command.addAll(Arrays.asList(args));
    Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectInput(input)
        .redirectOutput(directory.resolve("stdout").toFile())
        .redirectError(directory.resolve("stderr").toFile()).start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the round hangs");
    }
    return new Round(directory, process.exitValue());
  }

  private static String absolute(String classPath) {
    List<String> paths = new ArrayList<>();
    for (String path : classPath.split(File.pathSeparator)) {
      paths.add(new File(path).getAbsolutePath());
    }
    return String.join(File.pathSeparator, paths);
  }

  /** The lines of one of its files. */
  List<String> lines(String file) throws IOException {
    return Files.readAllLines(directory.resolve(file), StandardCharsets.UTF_8);
  }

  /** A column of interference.csv, from the first fork on. */
  List<String> interference(String column) throws IOException {
    List<String> lines = lines("interference.csv");
    int place = Arrays.asList(lines.get(0).split(",")).indexOf(column);
    return lines.stream().skip(1).map(line -> line.split(",", -1)[place]).collect(Collectors.toList());
  }

  /** The rows of iterations.csv that belong to a fork, as fields. */
  List<String[]> iterations(int fork) throws IOException {
    List<String[]> rows = new ArrayList<>();
    for (String line : lines("iterations.csv")) {
      if (line.startsWith(fork + ",")) {
        rows.add(line.split(",", -1));
      }
    }
    return rows;
  }
}
