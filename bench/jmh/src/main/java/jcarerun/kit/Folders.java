package jcarerun.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Directories moved and removed, also where a virus scanner holds a file that was just written. */
final class Folders {
  /** What the name of a round in work starts with. */
  static final String WORK = ".work-";

  private static final int TRIES = 50;
  private static final int PAUSE_MS = 200;

  /** A change to the file system that may have to wait. */
  private interface Change {
    void make() throws IOException;
  }

  private Folders() {}

  /** Removes rounds that never became whole. */
  static void sweep(Path root) throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(root, WORK + "*")) {
      for (Path folder : left) {
        remove(folder);
      }
    }
  }

  static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> paths = Files.walk(folder)) {
      all = paths.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path path : all) {
      delete(path);
    }
  }

  static void delete(Path path) throws IOException {
    patiently(() -> Files.deleteIfExists(path));
  }

  static void move(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    patiently(() -> Files.move(from, to));
  }

  private static void patiently(Change change) throws IOException {
    for (int i = 1; ; i++) {
      try {
        change.make();
        return;
      } catch (IOException e) {
        if (i == TRIES) {
          throw e;
        }
      }
      try {
        Thread.sleep(PAUSE_MS);
      } catch (InterruptedException e) {
        throw new KitError("interrupted");
      }
    }
  }

  /** A program's words in whatever encoding; the lines that say something. */
  static List<String> lines(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Collections.emptyList();
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    return Arrays.stream(text.split("[\\r\\n]+")).filter(line -> !line.trim().isEmpty()).collect(Collectors.toList());
  }
}
