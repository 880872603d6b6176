package jcarerun.round;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jcarerun.Sha256;

/**
 * Keeps what a fork has left out of the reach of later forks, which share its directory and its user.
 *
 * <p>Rows that forks append to a common file are taken into memory when a fork has ended, and written when the round
 * ends. Every other file is hashed when its fork has ended, and again at the end of the round. The times of a fork
 * itself can't be proven so: whoever runs a jar believes its own.
 */
final class RoundFiles {
  /** Directories whose files have the number of their fork in front. */
  private static final String[] DIRECTORIES = {"jmh", "gc", "jit", "jvm"};
  /** No file of a round is longer; to hash one could take for ever. */
  private static final long MOST_BYTES = 1L << 30;
  private static final String[] FILES = {"forks.tsv", "gates.tsv", "cells.csv"};

  private final Map<Path, List<String>> rows = new LinkedHashMap<>();
  private final Map<Path, String> sums = new TreeMap<>();

  /** Makes the directories, and hashes what the round was given. */
  RoundFiles() throws IOException {
    for (String directory : DIRECTORIES) {
      Files.createDirectories(Paths.get(directory));
    }
    for (String file : FILES) {
      if (Files.exists(Paths.get(file))) {
        sums.put(Paths.get(file), Sha256.of(Paths.get(file)));
      }
    }
    seal("");
  }

  /**
   * Takes the rows that a fork appended to a common file, and removes it. A first line that is its header is dropped.
   *
   * @throws ForkFailure for a row of another fork
   */
  List<String> take(Path file, String header, int fork) throws IOException {
    List<String> all = rows.computeIfAbsent(file, name -> new ArrayList<>(Collections.singletonList(header)));
    if (!Files.exists(file)) {
      return Collections.emptyList();
    }
    requirePlain(file);
    List<String> added = Files.readAllLines(file, StandardCharsets.US_ASCII);
    Files.delete(file);
    if (!added.isEmpty() && added.get(0).equals(header)) {
      added.remove(0);
    }
    if (!added.stream().allMatch(row -> row.startsWith(fork + ","))) {
      throw new ForkFailure("has rows of other forks in " + file, null);
    }
    all.addAll(added);
    return added;
  }

  /**
   * Hashes the files that are new.
   *
   * @param fork with whose number their names begin
   * @throws ForkFailure for a file of another fork
   */
  void seal(String fork) throws IOException {
    for (Path file : files()) {
      if (!sums.containsKey(file)) {
        if (!file.getFileName().toString().startsWith(fork)) {
          throw new ForkFailure("made " + Fork.slashed(file) + ", which is not one of its files", null);
        }
        requirePlain(file);
        sums.put(file, Sha256.of(file));
      }
    }
  }

  /** A link, or a pipe without a writer, must not be opened. */
  private static boolean isPlain(Path file) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) <= MOST_BYTES;
  }

  private static void requirePlain(Path file) throws IOException {
    if (!isPlain(file)) {
      throw new ForkFailure("made " + Fork.slashed(file) + ", which is no plain file, or is too long", null);
    }
  }

  /** Writes a file of the runner's own, or writes it again. Line ends are alike on every system: files are hashed. */
  void write(String file, List<String> lines) throws IOException {
    Path path = Paths.get(file);
    Files.write(path, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    sums.put(path, Sha256.of(path));
  }

  /** Writes the rows of all forks until now; a file of which no fork has any is not made. */
  void writeRows() throws IOException {
    for (Map.Entry<Path, List<String>> entry : rows.entrySet()) {
      if (entry.getValue().size() > 1 || sums.containsKey(entry.getKey())) {
        write(entry.getKey().toString(), entry.getValue());
      }
    }
  }

  /** Throws ForkFailure for a file that was changed or removed after its fork had ended. */
  void verify() throws IOException {
    for (Map.Entry<Path, String> entry : sums.entrySet()) {
      if (!isPlain(entry.getKey()) || !Sha256.of(entry.getKey()).equals(entry.getValue())) {
        throw new ForkFailure(
            Fork.slashed(entry.getKey()) + " was changed after its fork had ended, by this fork or one before", null);
      }
    }
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String directory : DIRECTORIES) {
      try (Stream<Path> paths = Files.walk(Paths.get(directory))) {
        files.addAll(paths.filter(path -> !Files.isDirectory(path)).collect(Collectors.toList()));
      }
    }
    return files;
  }
}
