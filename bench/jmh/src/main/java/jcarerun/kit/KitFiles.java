package jcarerun.kit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import jcarerun.Sha256;

/**
 * A kit's directories and files. They are moved and removed, also where a virus scanner holds a new file; listed with
 * SHA-256 sums in the format of {@code sha256sum -c}; and packed to be sent back.
 */
final class KitFiles {
  /** Name of the list of sums. */
  static final String MANIFEST = "manifest.sha256";

  /** What the name of a round in work starts with. */
  static final String WORK = ".work-";

  private static final int TRIES = 50;
  private static final int PAUSE_MS = 200;

  /** A change to the file system that may have to wait. */
  private interface Change {
    void make() throws IOException;
  }

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

  /** Names of all files below a directory, with forward slashes, sorted. */
  static List<String> files(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).map(path -> slashed(folder.relativize(path))).sorted()
          .collect(Collectors.toList());
    }
  }

  /** Writes the sums of all files that are there. */
  static void writeManifest(Path folder) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name : files(folder)) {
      text.append(Sha256.of(folder.resolve(name))).append("  ").append(name).append('\n');
    }
    Files.write(folder.resolve(MANIFEST), text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** The first file that a list of sums names and that is missing or has another sum; null when all is well. */
  static String firstBad(Path folder, Path list) throws IOException {
    for (String line : Files.readAllLines(list, StandardCharsets.UTF_8)) {
      String[] parts = line.split("  ", 2);
      if (parts.length != 2) {
        return slashed(folder.relativize(list));
      }
      Path file = folder.resolve(parts[1]);
      if (!Files.isRegularFile(file) || !Sha256.of(file).equals(parts[0])) {
        return parts[1];
      }
    }
    return null;
  }

  /** File names are written alike on every system. */
  static String slashed(Path path) {
    return path.toString().replace('\\', '/');
  }

  /** Writes a zip with the given directories, their names relative to {@code folder}. */
  static void pack(Path folder, List<String> directories, Path target) throws IOException {
    Path part = target.resolveSibling(target.getFileName() + ".part");
    try (OutputStream out = Files.newOutputStream(part); ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String directory : directories) {
        for (String name : files(folder.resolve(directory))) {
          zip.putNextEntry(new ZipEntry(directory + '/' + name));
          Files.copy(folder.resolve(directory).resolve(name), zip);
          zip.closeEntry();
        }
      }
    }
    Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
  }

  private KitFiles() {}
}
