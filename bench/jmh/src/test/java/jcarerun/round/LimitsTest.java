package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel says of CPUs and memory, in both versions of control groups and where there are none. */
class LimitsTest {
  @TempDir
  Path root;

  private void put(String file, String text) throws Exception {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private List<String> lines() {
    return new Limits(root).lines();
  }

  @Test
  void groupsOfVersionTwoInANameSpaceOfTheirOwn() throws Exception {
    put("proc/self/status", "Name:\tjava\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n");
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/cgroup.controllers", "cpuset memory\n");
    put("sys/fs/cgroup/memory.max", "2147483648\n");
    put("sys/fs/cgroup/cpuset.cpus.effective", "0-1\n");
    assertEquals(Arrays.asList("cpus_allowed: 0-1", "cgroup: v2", "memory_limit_bytes: 2147483648", "cpuset: 0-1"),
        lines());
  }

  @Test
  void groupsOfVersionOneBelowThePathOfTheProcess() throws Exception {
    put("proc/self/status", "Cpus_allowed_list:\t0,2\n");
    put("proc/self/cgroup", "4:memory:/a/b\n2:cpu,cpuset:/a\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "2147483648\n");
    put("sys/fs/cgroup/cpuset/cpuset.cpus", "0,2\n");
    assertEquals(Arrays.asList("cpus_allowed: 0,2", "cgroup: v1", "memory_limit_bytes: 2147483648", "cpuset: 0,2"),
        lines());
  }

  @Test
  void aPathThatLeadsOutIsNotFollowed() throws Exception {
    put("proc/self/cgroup", "0::/../../outside\n");
    put("sys/fs/cgroup/cgroup.controllers", "memory\n");
    put("outside/memory.max", "1\n");
    put("sys/fs/cgroup/memory.max", "max\n");
    assertEquals("memory_limit_bytes: max", lines().get(2));
  }

  @Test
  void whatThereIsNotIsNotExposed() {
    assertEquals(Arrays.asList("cpus_allowed: not exposed", "cgroup: not exposed", "memory_limit_bytes: not exposed",
        "cpuset: not exposed"), lines());
  }
}
