package jcarerun.probe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The clocks of the iteration log, the flags of the log that they are laid over, its numbers, and lists of code. */
class ProbeTest {
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

  @Test
  void listsOfCpus() {
    assertEquals(Arrays.asList(0, 2, 3, 4), JvmCounters.cpus("0,2-4"));
    assertEquals(Collections.singletonList(3), JvmCounters.cpus("3"));
    assertEquals(Collections.emptyList(), JvmCounters.cpus(""));
    assertEquals(Collections.emptyList(), JvmCounters.cpus("all"));
  }

  @ParameterizedTest
  @CsvSource({"0, 0.000", "1.5, 1.500", "-1.25, -1.250", "0.0625, 0.063", "-0.002, -0.002",
      "12345678.9996, 12345679.000"})
  void aNumberHasThreeDecimals(double value, String expected) {
    StringBuilder text = new StringBuilder();
    Observations.append(text, value);
    assertEquals(expected, text.toString());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "100, 100", "1.5, 1.5", "-0.020, -0.02", "0.0004, 0"})
  void aShortenedNumberHasNoZerosAtItsEnd(double value, String expected) {
    assertEquals(expected, Observations.shortened(value));
  }

  @Test
  void aNumberReadBackIsWithinHalfAThousandth() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(9));
      StringBuilder text = new StringBuilder();
      Observations.append(text, value);
      assertEquals(value, Double.parseDouble(text.toString()), 0.0005 + 1e-9,
          () -> String.format(Locale.ROOT, "%s", value));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, 1e17})
  void whatHasNoThousandthsIsRefused(double value) {
    assertThrows(IllegalArgumentException.class, () -> Observations.shortened(value));
  }

  private static int grow(int by) {
    int sum = 0;
    for (int i = 0; i < by; i++) {
      sum += i ^ by;
    }
    return sum;
  }

  @Test
  void whatIsCalledOftenComesIntoTheListAndStays() {
    String method = ProbeTest.class.getName() + "::grow";
    CodeList before = CodeList.now();
    assertTrue(before.isAvailable());
    assertFalse(before.has(method));
    int sum = 0;
    for (int call = 0; call < 50_000_000 && !(call % 100_000 == 0 && CodeList.now().has(method)); call++) {
      sum += grow(call % 100);
    }
    CodeList after = CodeList.now();
    assertTrue(after.has(method), "sum " + sum);
    assertTrue(after.keeps(after));
    assertFalse(before.keeps(after));
    assertFalse(after.has(ProbeTest.class.getName() + "::gro"));
  }
}
