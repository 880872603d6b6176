package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jcarerun.probe.ProbedWorkload.SharesItsCpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel tells of limits and disturbances, and what the gates make of it. */
class InterferenceTest {
  private static final ForkPlan PLAN = ForkPlan.read(
      Collections.singletonList("1\tSelfTest.run\t-f\t1")).get(0);
  private static final String STATUS = "proc/self/status";

  @TempDir
  Path root;

  private void put(String file, String text) throws Exception {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** Two CPUs of three are allowed; ticks of user, nice, system, idle, iowait, irq, softirq, steal, guest. */
  private CpuPressure linux(long user, long idle, long steal, long own) throws Exception {
    put(STATUS, "Cpus_allowed_list:\t0,2\n");
    put("proc/stat", "cpu 9 9 9 9 9 9 9 9 9 9\ncpu0 " + user + " 0 1 " + idle + " 2 0 1 " + steal + " 5 0\n"
        + "cpu1 77 77 77 77 77 77 77 77 0 0\ncpu2 0 0 0 100 0 0 0 1 0 0\nctxt 5\n");
    put("proc/self/stat", "42 (a b) c) S 1 42 42 0 -1 4194560 500 0 0 0 " + own + " 1 2 3 20 0 1 0 100");
    return CpuPressure.read(root);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void timesAreThoseOfTheAllowedCpus() throws Exception {
    CpuPressure found = linux(50, 40, 6, 10);
    assertEquals(70, found.stealMs);
    assertEquals(10 * (50 + 1 + 40 + 2 + 1 + 6 + 101), found.totalMs);
    assertEquals(10 * (50 + 1 + 1 - 16), found.othersMs, "neither idle nor stolen nor its own");
    assertNull(found.throttled);
  }

  @Test
  void whatIsNotExposedIsUnknown() throws Exception {
    CpuPressure nothing = CpuPressure.read(root);
    assertNull(nothing.stealMs);
    assertNull(nothing.totalMs);
    assertNull(nothing.othersMs);
    assertNull(nothing.throttled);
    put(STATUS, "Cpus_allowed_list:\t0-1\n");
    put("proc/stat", "cpu0 1 1 1 1 1 1 1 1\n");
    assertNull(CpuPressure.read(root).stealMs, "a CPU of its own has no line");
    String row = fork(nothing, nothing, 1, "1,1,0,0.000,5.000,5,1,1,,,,,").row();
    assertEquals("1,7,5.000,,,,,10,20,10,,,,,", row);
  }

  @Test
  void throttlingIsTheQuotasAndTheCores() throws Exception {
    put(STATUS, "Cpus_allowed_list:\t0-1\n");
    put("sys/fs/cgroup/cgroup.controllers", "cpu\n");
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 700\n");
    assertEquals(3, CpuPressure.read(root).throttled);
    put("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
    put("sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count", "1\n");
    put("sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "100\n");
    assertEquals(8, CpuPressure.read(root).throttled);
  }

  @Test
  void throttlingInGroupsOfVersionOne() throws Exception {
    put(STATUS, "Cpus_allowed_list:\t0\n");
    put("proc/self/cgroup", "3:cpu,cpuacct:/a\n");
    put("sys/fs/cgroup/cpu/a/cpu.stat", "nr_periods 9\nnr_throttled 2\n");
    assertEquals(2, CpuPressure.read(root).throttled);
    put("sys/fs/cgroup/cpu/a/cpu.stat", "nr_periods 9\n");
    assertNull(CpuPressure.read(root).throttled);
  }

  /** A fork of some rows of iterations.csv, whose loop was twice as slow after it as before it. */
  private static Interference fork(CpuPressure before, CpuPressure after, int number, String... rows) {
    ForkPlan plan = number == 1 ? PLAN : PLAN.again(number);
    Interference fork = new Interference(plan, 7, Interference.Window.of(Arrays.asList(rows)), before, after, 10, 20);
    fork.spinReferenceNs = 10;
    return fork;
  }

  private Interference disturbed() throws Exception {
    CpuPressure before = linux(50, 40, 6, 10);
    CpuPressure after = linux(90, 100, 16, 20);
    return fork(before, after, 1, "1,1,0,100.000,300.000,5,1,1,9,0,0,30,40", "1,2,0,400.000,700.000,5,1,1,9,0,0,20,60");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theRowHasTheDifferences() throws Exception {
    assertEquals("1,7,500.000,100,300,1100,,10,20,10,50,100,,,", disturbed().row());
    assertEquals(Interference.HEADER.split(",").length, disturbed().row().split(",", -1).length);
  }

  private static List<String> broken(Interference fork, String... lines) {
    List<String> all = Arrays.stream(lines).map(line -> line.replace(' ', '\t')).collect(Collectors.toList());
    all.add("reruns\t0");
    return Gates.read(all).broken(fork);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aGateIsBrokenAboveItsLimit() throws Exception {
    Interference fork = disturbed();
    assertEquals(Arrays.asList("steal_share"), broken(fork, "steal_share 0.09 0"));
    assertEquals(Collections.emptyList(), broken(fork, "steal_share 0.091 0"));
    assertEquals(Collections.emptyList(), broken(fork, "steal_share 0 101"), "too little to be judged");
    assertEquals(Arrays.asList("others_share"), broken(fork, "others_share 0.27 300"));
    assertEquals(Arrays.asList("involuntary_per_s"), broken(fork, "involuntary_per_s 99 50"));
    assertEquals(Collections.emptyList(), broken(fork, "involuntary_per_s 100 50"));
    assertEquals(Arrays.asList("gc_share", "spin_ratio"), broken(fork, "gc_share 0.19 0", "spin_ratio 1.99 0"));
    assertEquals(Collections.emptyList(), broken(fork, "throttled 0 0"), "what is unknown breaks nothing");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aWorkerWhoseServerTakesTheCpuIsNotDisturbedByThat() throws Exception {
    ForkPlan tls = ForkPlan.read(
        Collections.singletonList("1\tjcarerun.workload.TlsHandshake.handshake\t-f\t1")).get(0);
    assertTrue(tls.isA(SharesItsCpus.class));
    assertFalse(PLAN.isA(SharesItsCpus.class));
    Interference.Window window = Interference.Window.of(Arrays.asList("1,1,0,100.000,300.000,5,1,1,9,0,0,30,40"));
    Interference fork = new Interference(tls, 7, window, linux(50, 40, 6, 10), linux(90, 100, 16, 20), 10, 20);
    fork.spinReferenceNs = 10;
    assertEquals(Arrays.asList("spin_ratio"), broken(fork, "involuntary_per_s 99 0", "spin_ratio 1.25 0"));
  }

  @Test
  void reruns() throws Exception {
    CpuPressure nothing = CpuPressure.read(root);
    List<Interference> forks = IntStream.rangeClosed(1, 6)
        .mapToObj(i -> fork(nothing, nothing, i, "1,1,0,0.000,5.000,5,1,1,,,,,")).collect(Collectors.toList());
    for (int i : new int[] {1, 3, 4}) {
      forks.get(i).broken.add("spin_ratio");
    }
    List<ForkPlan> again = Gates.read(Collections.singletonList("reruns\t0.3")).reruns(forks, forks.size());
    assertEquals(Arrays.asList(7, 8), again.stream().map(fork -> fork.number).collect(Collectors.toList()));
    assertEquals(Arrays.asList(2, 4), again.stream().map(fork -> fork.rerunOf).collect(Collectors.toList()));
    assertEquals(PLAN.args, again.get(0).args);
    assertEquals(8, forks.get(3).rerunAs);
    assertNull(forks.get(4).rerunAs, "the cap");
    assertTrue(forks.get(1).row().contains(",spin_ratio,7,"), forks.get(1).row());
  }

  @Test
  void capsAreRoundedUp() {
    Gates gates = Gates.read(Collections.singletonList("reruns\t0.2"));
    assertEquals(Arrays.asList(1, 1, 2, 4), Arrays.asList(
        gates.mostReruns(1), gates.mostReruns(5), gates.mostReruns(6), gates.mostReruns(18)));
    assertEquals(0, Gates.read(Collections.singletonList("reruns\t0")).mostReruns(18));
  }

  @ParameterizedTest
  @ValueSource(strings = {"steal_share\t0.1", "steal_share\tmuch\t0", "steal_share\t-1\t0", "reruns\t1\t1", ""})
  void aLineThatIsNoGate(String line) {
    String message = assertThrows(IllegalArgumentException.class,
        () -> Gates.read(Arrays.asList("reruns\t0.2", line))).getMessage();
    assertTrue(message.startsWith("gates.tsv, line 2: must be a gate of "), message);
    assertEquals(1, message.split("\n").length);
  }

  @Test
  void gatesWithoutTheCap() {
    String message = assertThrows(IllegalArgumentException.class,
        () -> Gates.read(Collections.singletonList("throttled\t0\t0"))).getMessage();
    assertTrue(message.contains("lacks the line 'reruns'"), message);
  }

  @Test
  void theLoopTakesItsTimeWheneverItIsAsked() {
    ForkMeter.SpinLoop.warmUp();
    assertTrue(ForkMeter.SpinLoop.calibrate() > 0);
  }

  @Test
  void limitsInGroupsOfVersionTwoInANameSpaceOfTheirOwn() throws Exception {
    put("proc/self/status", "Name:\tjava\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n");
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/cgroup.controllers", "cpuset memory\n");
    put("sys/fs/cgroup/memory.max", "2147483648\n");
    put("sys/fs/cgroup/cpuset.cpus.effective", "0-1\n");
    assertEquals(Arrays.asList("cpus_allowed: 0-1", "cgroup: v2", "memory_limit_bytes: 2147483648", "cpuset: 0-1"),
        new ControlGroup(root).limits());
  }

  @Test
  void limitsInGroupsOfVersionOneBelowThePathOfTheProcess() throws Exception {
    put("proc/self/status", "Cpus_allowed_list:\t0,2\n");
    put("proc/self/cgroup", "4:memory:/a/b\n2:cpu,cpuset:/a\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "2147483648\n");
    put("sys/fs/cgroup/cpuset/cpuset.cpus", "0,2\n");
    assertEquals(Arrays.asList("cpus_allowed: 0,2", "cgroup: v1", "memory_limit_bytes: 2147483648", "cpuset: 0,2"),
        new ControlGroup(root).limits());
  }

  @Test
  void aPathThatLeadsOutOfTheGroupsIsNotFollowed() throws Exception {
    put("proc/self/cgroup", "0::/../../outside\n");
    put("sys/fs/cgroup/cgroup.controllers", "memory\n");
    put("outside/memory.max", "1\n");
    put("sys/fs/cgroup/memory.max", "max\n");
    assertEquals("memory_limit_bytes: max", new ControlGroup(root).limits().get(2));
  }

  @Test
  void limitsThatThereAreNotAreNotExposed() {
    assertEquals(Arrays.asList("cpus_allowed: not exposed", "cgroup: not exposed", "memory_limit_bytes: not exposed",
        "cpuset: not exposed"), new ControlGroup(root).limits());
  }
}
