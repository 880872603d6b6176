package jcarerun.kit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** SHA-256 sums of a directory's files in the format of {@code sha256sum -c}, and whether they still hold. */
final class Manifest {
  static final String NAME = "manifest.sha256";

  private Manifest() {}

  /** Names of all files below a directory, with forward slashes, sorted. */
  static List<String> files(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).map(path -> slashed(folder.relativize(path))).sorted()
          .collect(Collectors.toList());
    }
  }

  /** Writes the sums of all files that are there. */
  static void write(Path folder) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name : files(folder)) {
      text.append(sha256(folder.resolve(name))).append("  ").append(name).append('\n');
    }
    Files.write(folder.resolve(NAME), text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** The first file that a list of sums names and that is missing or has another sum; null when all is well. */
  static String firstBad(Path folder, Path list) throws IOException {
    for (String line : Files.readAllLines(list, StandardCharsets.UTF_8)) {
      String[] parts = line.split("  ", 2);
      if (parts.length != 2) {
        return slashed(folder.relativize(list));
      }
      Path file = folder.resolve(parts[1]);
      if (!Files.isRegularFile(file) || !sha256(file).equals(parts[0])) {
        return parts[1];
      }
    }
    return null;
  }

  static String sha256(Path file) throws IOException {
    MessageDigest digest = digest();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return hex(digest.digest());
  }

  static String sha256(String text) {
    return hex(digest().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static String hex(byte[] bytes) {
    StringBuilder hex = new StringBuilder();
    for (byte b : bytes) {
      hex.append(String.format("%02x", b));
    }
    return hex.toString();
  }

  /** File names are written alike on every system. */
  static String slashed(Path path) {
    return path.toString().replace('\\', '/');
  }
}
