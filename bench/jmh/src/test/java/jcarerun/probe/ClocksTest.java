package jcarerun.probe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The clocks of the iteration log, and the flags of the log that they are laid over. */
class ClocksTest {
  @Test
  void uptimeIsTheJvmsButFiner() {
    long before = ManagementFactory.getRuntimeMXBean().getUptime();
    double now = UptimeClock.millis();
    long after = ManagementFactory.getRuntimeMXBean().getUptime();
    assertTrue(before - 1 <= now && now <= after + 2, before + " " + now + " " + after);
  }

  @Test
  void processTimesAreReadBehindANameThatMayHoldAnything() {
    String stat = "42 (a b) c) S 1 42 42 0 -1 4194560 500 0 0 0 7 3 0 0 20 0 1 0 100";
    assertArrayEquals(new long[] {70_000_000L, 30_000_000L}, JvmCounters.processCpuNs(stat));
  }

  @Test
  void cpuTimeIsThatOfTheWorkersWindow() {
    WorkerClock.start();
    WorkerClock.stop();
    WorkerClock.Window window = WorkerClock.take();
    assertTrue(window.workerCpuNs() >= 0);
    assertTrue(window.endUptimeMs >= window.startUptimeMs);
    assertNull(WorkerClock.take(), "an iteration is handed over once");
  }

  @Test
  void anIterationLogWithoutItsPropertiesSaysWhichItNeeds() {
    IterationLog log = new IterationLog();
    String message = assertThrows(IllegalStateException.class, () -> log.beforeIteration(null, null)).getMessage();
    assertTrue(message.contains("-Djcarerun.iterations=") && message.contains("-Djcarerun.fork="), message);
  }

  @Test
  void theLogHasTheFormatOfItsJdk() {
    assertTrue(LogFlags.collections("gc/001.log", true).contains("-Xloggc:gc/001.log"));
    assertTrue(LogFlags.collections("gc/001.log", true).contains("-XX:+PrintGCApplicationStoppedTime"));
    assertEquals("[-Xlog:gc*,safepoint:file=gc/001.log:time,uptime,level,tags:filecount=0]",
        LogFlags.collections("gc/001.log", false).toString());
  }

  @Test
  void switchesAreReadOffTheStatus() {
    assertEquals(12, JvmCounters.switches("voluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t12\n"));
    assertNull(JvmCounters.switches("Name:\tjava\n"));
    if (Files.isReadable(Path.of("/proc/thread-self/status"))) {
      assertNotNull(JvmCounters.involuntarySwitches());
    }
    assertTrue(JvmCounters.collectorMs() >= 0);
  }
}
