package jcarerun.round;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jcarerun.probe.JvmCounters;

/**
 * Ends processes that a fork has left behind: they would disturb the next fork, or reach for its files.
 *
 * <p>Where the runner is the first process of a container, every other process is left behind. Elsewhere only those are
 * that descend from the runner. Nothing is ended but on Linux.
 */
final class Leftovers {
  private static final int ATTEMPTS = 20;

  private Leftovers() {}

  /** Ends them; throws ForkFailure where some are born again and again. */
  static void end() throws IOException {
    if (System.getProperty("os.name").startsWith("Windows") || !Files.isReadable(Paths.get("/proc/self/stat"))) {
      return;
    }
    int self = Integer.parseInt(Files.readSymbolicLink(Paths.get("/proc/self")).toString());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      List<Integer> left = find(Paths.get("/proc"), self);
      if (left.isEmpty()) {
        return;
      }
      kill(left);
    }
    throw new ForkFailure("leaves processes behind that can't be ended", null);
  }

  /** The processes to be ended, below a directory like /proc; one that has ended and waits for its parent is none. */
  static List<Integer> find(Path proc, int self) throws IOException {
    Map<Integer, Integer> parents = new HashMap<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[1-9]*")) {
      for (Path process : processes) {
        try {
          String stat = new String(Files.readAllBytes(process.resolve("stat")), StandardCharsets.ISO_8859_1);
          String[] fields = JvmCounters.statFields(stat);
          if (!fields[0].matches("[ZX]")) {
            parents.put(Integer.valueOf(process.getFileName().toString()), Integer.valueOf(fields[1]));
          }
        } catch (IOException e) {
          // It has ended.
        }
      }
    }
    List<Integer> left = new ArrayList<>();
    for (Integer process : parents.keySet()) {
      if (process != self && (self == 1 || descends(process, self, parents))) {
        left.add(process);
      }
    }
    return left;
  }

  private static boolean descends(Integer process, int ancestor, Map<Integer, Integer> parents) {
    for (Integer at = parents.get(process); at != null && at > 1; at = parents.get(at)) {
      if (at == ancestor) {
        return true;
      }
    }
    return false;
  }

  private static void kill(List<Integer> processes) throws IOException {
    StringBuilder command = new StringBuilder("kill -9");
    processes.forEach(process -> command.append(' ').append(process));
    try {
      // A process may have ended by itself: its status says nothing.
      new ProcessBuilder(Arrays.asList("sh", "-c", command + " 2>/dev/null; sleep 0.05")).start().waitFor();
    } catch (InterruptedException e) {
      throw new ForkFailure("interrupted while processes that were left behind were ended", e);
    }
  }
}
