package jcarerun.kit;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;

/** Questions to a machine; null is the answer where it has none. */
final class Ask {
  private static final int PATIENCE_SECONDS = 10;

  private Ask() {}

  /** A small text file's content. */
  static String file(String path) {
    try {
      return orNull(new String(Files.readAllBytes(Paths.get(path)), StandardCharsets.UTF_8));
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** The value behind the first line that starts with a key and a separator. */
  static String field(String text, String key, char separator) {
    for (String line : text == null ? new String[0] : text.split("\n")) {
      int at = line.indexOf(separator);
      if (at >= 0 && line.substring(0, at).trim().equals(key)) {
        return orNull(line.substring(at + 1));
      }
    }
    return null;
  }

  /** What a program prints; its streams are a file's, so that one that hangs can be left behind. */
  static String program(String... command) {
    try {
      File output = File.createTempFile("jcarerun", ".txt");
      try {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          return null;
        }
        return process.exitValue() == 0 ? text(output.toPath()) : null;
      } finally {
        Files.deleteIfExists(output.toPath());
      }
    } catch (IOException | RuntimeException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** A value of Windows' registry. */
  static String registry(String key, String value) {
    String said = program("reg", "query", key, "/v", value);
    for (String line : said == null ? new String[0] : said.split("\n")) {
      String[] parts = line.trim().split("\\s+REG_SZ\\s+", 2);
      if (parts.length == 2 && parts[0].equals(value)) {
        return orNull(parts[1]);
      }
    }
    return null;
  }

  /** An attribute of the JVM's bean for the operating system; JVMs differ in which they have. */
  static Number bean(String attribute) {
    try {
      Object value = ManagementFactory.getPlatformMBeanServer()
          .getAttribute(new ObjectName("java.lang:type=OperatingSystem"), attribute);
      return value instanceof Number && ((Number) value).doubleValue() >= 0 ? (Number) value : null;
    } catch (JMException | RuntimeException e) {
      return null;
    }
  }

  private static String text(Path file) throws IOException {
    return orNull(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
  }

  private static String orNull(String text) {
    String trimmed = text.trim();
    return trimmed.isEmpty() ? null : trimmed;
  }
}
