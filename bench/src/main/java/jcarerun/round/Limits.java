package jcarerun.round;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads which CPUs and how much memory this process was given, as Linux says it inside a container, for limits.txt.
 *
 * <p>Everything is "not exposed" where the kernel doesn't tell. Windows' JVM on Wine reads Linux's files through Wine's
 * server, which lives in the same container and has the same limits.
 */
final class Limits {
  private static final String UNKNOWN = "not exposed";

  private final Path root;

  /** The root of the file system, or that of a test. */
  Limits(Path root) {
    this.root = root;
  }

  static Limits ofThisProcess() {
    return new Limits(Paths.get("/"));
  }

  /** The lines of limits.txt: a key, a colon, a value. */
  List<String> lines() {
    boolean unified = Files.exists(root.resolve("sys/fs/cgroup/cgroup.controllers"));
    boolean split = Files.isDirectory(root.resolve("sys/fs/cgroup/memory"));
    String memory = unified ? first(cgroup("", "memory.max"))
        : first(cgroup("memory", "memory.limit_in_bytes"));
    String cpuset = unified ? first(cgroup("", "cpuset.cpus.effective"))
        : first(cgroup("cpuset", "cpuset.effective_cpus"), cgroup("cpuset", "cpuset.cpus"));
    return Arrays.asList(
        "cpus_allowed: " + field("Cpus_allowed_list"),
        "cgroup: " + (unified ? "v2" : split ? "v1" : UNKNOWN),
        "memory_limit_bytes: " + memory,
        "cpuset: " + cpuset);
  }

  private String field(String name) {
    for (String line : read(root.resolve("proc/self/status"))) {
      if (line.startsWith(name + ":")) {
        return line.substring(name.length() + 1).trim();
      }
    }
    return UNKNOWN;
  }

  private static String first(String... values) {
    return Arrays.stream(values).filter(value -> !value.isEmpty()).findFirst().orElse(UNKNOWN);
  }

  /**
   * The value of a control file. A container sees its own group at the top of the file system if it has a name space of
   * its own, else below the path that /proc/self/cgroup names.
   */
  private String cgroup(String controller, String file) {
    Path top = root.resolve("sys/fs/cgroup").resolve(controller);
    List<Path> places = new ArrayList<>();
    for (String line : read(root.resolve("proc/self/cgroup"))) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && Arrays.asList(fields[1].split(",")).contains(controller)) {
        own(top, fields[2]).ifPresent(places::add);
      }
    }
    places.add(top);
    for (Path place : places) {
      List<String> lines = read(place.resolve(file));
      if (!lines.isEmpty()) {
        return lines.get(0).trim();
      }
    }
    return "";
  }

  private static Optional<Path> own(Path top, String path) {
    try {
      Path whole = top.resolve(path.replaceFirst("^/+", "")).normalize();
      return whole.startsWith(top) ? Optional.of(whole) : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static List<String> read(Path file) {
    try {
      return Arrays.asList(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).split("\n"));
    } catch (IOException | SecurityException e) {
      return new ArrayList<>();
    }
  }
}
