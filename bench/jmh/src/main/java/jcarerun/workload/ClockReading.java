package jcarerun.workload;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import jcarerun.probe.Observations;
import jcarerun.probe.Observations.Measures;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Reads a clock of the JVM. The time of a call is what a reading costs; observed besides is the clock's resolution, the
 * least that it can tell apart: the median of the steps by which it goes on while it is read again and again.
 */
@Measures({"resolution"})
public class ClockReading extends Workload {
  /** A clock that a benchmark may be timed with. */
  public enum Clock {
    /** {@link System#nanoTime}. */
    nanoTime(1),
    /** {@link System#currentTimeMillis}. */
    currentTimeMillis(1_000_000),
    /** {@link ThreadMXBean#getCurrentThreadCpuTime}. */
    threadCpuTime(1);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private final long unitNs;

    Clock(long unitNs) {
      this.unitNs = unitNs;
    }

    /** The time now, in the clock's own unit. */
    long read() {
      switch (this) {
        case nanoTime:
          return System.nanoTime();
        case currentTimeMillis:
          return System.currentTimeMillis();
        default:
          return THREADS.getCurrentThreadCpuTime();
      }
    }
  }

  /** Enough for the loop to be compiled. */
  private static final int STEPS = 10_001;

  /** Reading ends here where the clock has gone on once at least, and 100 times later in any case. */
  private static final long ENOUGH_NS = 50_000_000;

  /** Which clock. */
  @Param("nanoTime")
  public Clock clock;

  @Override
  protected String subject() {
    return "clock " + clock;
  }

  @Override
  protected void prepare() {}

  @Override
  protected void verify(Check check) {
    long before = clock.read();
    check.that("it stands still", resolutionNs() > 0 && clock.read() > before);
  }

  /** A reading. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long read() {
    return clock.read();
  }

  @Override
  protected void ended(Check check) {
    Observations.add("resolution", resolutionNs());
  }

  /** Asked only while the clock stands, so that a fine one's steps are its own readings. */
  private static boolean isOver(long elapsedNs, int found) {
    return elapsedNs > ENOUGH_NS && found > 0 || elapsedNs > 100 * ENOUGH_NS;
  }

  /** Median of the clock's steps in nanoseconds; 0 if it never goes on. */
  private double resolutionNs() {
    long[] steps = new long[STEPS];
    int found = 0;
    long start = System.nanoTime();
    long last = clock.read();
    while (found < STEPS) {
      long now = clock.read();
      if (now > last) {
        steps[found++] = now - last;
        last = now;
      } else if (isOver(System.nanoTime() - start, found)) {
        break;
      }
    }
    // The first step is a part of one where the clock goes on in long ones: nobody knows when it began.
    long[] whole = Arrays.copyOfRange(steps, found > 1 ? 1 : 0, found);
    Arrays.sort(whole);
    return found == 0 ? 0 : (double) whole[whole.length / 2] * clock.unitNs;
  }
}
