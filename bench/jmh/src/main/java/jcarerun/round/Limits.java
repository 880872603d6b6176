package jcarerun.round;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;

/**
 * Reads which CPUs and how much memory this process was given, as Linux says it inside a container, for limits.txt.
 *
 * <p>Everything is "not exposed" where the kernel has none. Windows' JVM on Wine reads Linux's files through Wine's
 * server, which lives in the same container and has the same limits.
 */
final class Limits {
  private static final String UNKNOWN = "not exposed";

  private final Path root;
  private final ControlGroup group;

  /** The root of the file system, or that of a test. */
  Limits(Path root) {
    this.root = root;
    this.group = new ControlGroup(root);
  }

  static Limits ofThisProcess() {
    return new Limits(Paths.get("/"));
  }

  /** The lines of limits.txt: a key, a colon, a value. */
  List<String> lines() {
    boolean unified = group.unified();
    boolean split = Files.isDirectory(root.resolve("sys/fs/cgroup/memory"));
    String memory = first(value("memory", unified ? "memory.max" : "memory.limit_in_bytes"));
    String cpuset = unified ? first(value("cpuset", "cpuset.cpus.effective"))
        : first(value("cpuset", "cpuset.effective_cpus"), value("cpuset", "cpuset.cpus"));
    return Arrays.asList(
        "cpus_allowed: " + group.status("Cpus_allowed_list").orElse(UNKNOWN),
        "cgroup: " + (unified ? "v2" : split ? "v1" : UNKNOWN),
        "memory_limit_bytes: " + memory,
        "cpuset: " + cpuset);
  }

  private String value(String controller, String file) {
    List<String> lines = group.lines(controller, file);
    return lines.isEmpty() ? "" : lines.get(0).trim();
  }

  private static String first(String... values) {
    return Arrays.stream(values).filter(value -> !value.isEmpty()).findFirst().orElse(UNKNOWN);
  }
}
