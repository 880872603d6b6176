package jcarerun.round;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Linux's files about this process and its control group, and which CPUs and how much memory they say it was given.
 *
 * <p>Windows' JVM on Wine reads them through Wine's server, which lives in the same container and has the same limits.
 */
final class ControlGroup {
  private static final String UNKNOWN = "not exposed";

  private final Path root;

  /** Below the root of the file system, or that of a test. */
  ControlGroup(Path root) {
    this.root = root;
  }

  /** Whether the groups are of version 2, in which all controllers share one directory. */
  private boolean unified() {
    return Files.exists(root.resolve("sys/fs/cgroup/cgroup.controllers"));
  }

  /**
   * The lines of a control file; none where it isn't exposed. A container sees its own group at the top of the file
   * system if it has a name space of its own, else below the path that /proc/self/cgroup names.
   *
   * @param controller whose directory it is in version 1
   */
  List<String> lines(String controller, String file) {
    String directory = unified() ? "" : controller;
    Path top = root.resolve("sys/fs/cgroup").resolve(directory);
    List<Path> places = new ArrayList<>();
    for (String line : read("proc/self/cgroup")) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && Arrays.asList(fields[1].split(",")).contains(directory)) {
        own(top, fields[2]).ifPresent(places::add);
      }
    }
    places.add(top);
    return places.stream().map(place -> read(place.resolve(file))).filter(lines -> !lines.isEmpty()).findFirst()
        .orElse(Collections.emptyList());
  }

  private static Optional<Path> own(Path top, String path) {
    try {
      Path whole = top.resolve(path.replaceFirst("^/+", "")).normalize();
      return whole.startsWith(top) ? Optional.of(whole) : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** The value of a line `name: value` of /proc/self/status; empty where there is none. */
  Optional<String> status(String name) {
    return read("proc/self/status").stream().filter(line -> line.startsWith(name + ":")).findFirst()
        .map(line -> line.substring(name.length() + 1).trim());
  }

  /** The lines of a file below the root; none if it can't be read. */
  List<String> read(String file) {
    return read(root.resolve(file));
  }

  private static List<String> read(Path file) {
    try {
      return Arrays.asList(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).split("\n"));
    } catch (IOException | SecurityException e) {
      return Collections.emptyList();
    }
  }

  /** The lines of limits.txt: a key, a colon, a value; "not exposed" is the value where the kernel has none. */
  List<String> limits() {
    boolean split = Files.isDirectory(root.resolve("sys/fs/cgroup/memory"));
    String memory = first(value("memory", unified() ? "memory.max" : "memory.limit_in_bytes"));
    String cpuset = unified() ? first(value("cpuset", "cpuset.cpus.effective"))
        : first(value("cpuset", "cpuset.effective_cpus"), value("cpuset", "cpuset.cpus"));
    return Arrays.asList(
        "cpus_allowed: " + status("Cpus_allowed_list").orElse(UNKNOWN),
        "cgroup: " + (unified() ? "v2" : split ? "v1" : UNKNOWN),
        "memory_limit_bytes: " + memory,
        "cpuset: " + cpuset);
  }

  private String value(String controller, String file) {
    List<String> lines = lines(controller, file);
    return lines.isEmpty() ? "" : lines.get(0).trim();
  }

  private static String first(String... values) {
    return Arrays.stream(values).filter(value -> !value.isEmpty()).findFirst().orElse(UNKNOWN);
  }
}
