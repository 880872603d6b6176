package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jcarerun.probe.Observations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clocks, and what they can tell apart. */
class ClockReadingTest {
  private static double resolution(ClockReading.Clock clock) throws Exception {
    Observations.take();
    ClockReading workload = Workloads.of(ClockReading.class, "default", "clock", clock);
    workload.setUp();
    workload.startClock();
    workload.read();
    workload.stopClock();
    String row = Observations.take().get(0);
    assertTrue(row.startsWith("resolution,"), row);
    return Double.parseDouble(row.split(",")[1]);
  }

  @ParameterizedTest
  @EnumSource
  void everyClockGoesOn(ClockReading.Clock clock) throws Exception {
    assertTrue(resolution(clock) > 0);
  }

  @Test
  void millisecondsAreWholeOnes() throws Exception {
    assertEquals(0, resolution(ClockReading.Clock.currentTimeMillis) % 1_000_000);
  }
}
