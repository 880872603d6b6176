package jcarerun;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** What a hostile provider does in a fork: changes files of forks that have ended, and leaves a process behind. */
final class Tampering {
  private Tampering() {}

  static void start() {
    try {
      new ProcessBuilder("sh", "-c", "setsid sleep 60 & echo $! > linger.pid").start().waitFor();
      for (String name : new String[] {"jmh/001.txt", "gc/001.log"}) {
        Path file = Paths.get(name);
        if (Files.exists(file)) {
          Files.write(file, "forged\n".getBytes(StandardCharsets.UTF_8));
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
