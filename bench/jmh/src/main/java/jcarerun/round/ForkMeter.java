package jcarerun.round;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import jcarerun.Wine;

/** Measures what disturbs forks: reads the counters around each, and calibrates the CPU between them. */
final class ForkMeter {
  /** Wine's own processes for a JVM go on for a while when it has ended; that isn't the fork's disturbance. */
  private static final long SETTLE_MS = Wine.isRunning() ? 500 : 0;

  /** The round's best calibration so far. */
  private long bestSpinNs;
  private long lastSpinNs;

  /** Calibrates once for all, which takes some 200 ms. */
  ForkMeter() {
    SpinLoop.warmUp();
    lastSpinNs = SpinLoop.calibrate();
    bestSpinNs = lastSpinNs;
  }

  /** Something that runs a fork. */
  interface Work {
    Interference.Window run() throws IOException;
  }

  /** Runs a fork; the calibration after it is also the one before the next. */
  Interference around(ForkPlan plan, Work fork) throws IOException {
    long spinBeforeNs = lastSpinNs;
    CpuPressure before = CpuPressure.now();
    long start = System.nanoTime();
    Interference.Window window = fork.run();
    long elapsedMs = Math.round((System.nanoTime() - start) / 1e6);
    CpuPressure after = CpuPressure.now();
    settle();
    lastSpinNs = SpinLoop.calibrate();
    bestSpinNs = Math.min(bestSpinNs, lastSpinNs);
    return new Interference(plan, elapsedMs, window, before, after, spinBeforeNs, lastSpinNs);
  }

  private static void settle() throws IOException {
    try {
      Thread.sleep(SETTLE_MS);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted between two forks");
    }
  }

  /** The round's best calibration so far: what the others are compared with. */
  long bestSpinNs() {
    return bestSpinNs;
  }

  /**
   * Calibrates the CPU's speed: how long a loop of a fixed number of dependent steps takes, about 4 ms.
   *
   * <p>The loop touches no memory and makes no garbage, so it is slower only when the core is: a lower clock, a core
   * shared with another machine's thread, or a CPU shared with another process. It is run five times, and the middle
   * time counts: one slice of the scheduler that some other thread takes doesn't last, and says nothing of the second
   * that a fork runs for. Each run is longer than such a slice, so that a CPU that is shared all the time slows most of
   * them.
   */
  static final class SpinLoop {
    /** A call of {@link #steps} is short and there are many, so that the JIT compiles it whole, not in mid-loop. */
    private static final int CALLS = 2500;
    private static final int STEPS = 1000;
    private static final int RUNS = 5;
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(150);

    /** Keeps the JIT from dropping the loop. */
    private static volatile long result = 88172645463325252L;

    private SpinLoop() {}

    /** Lets the JIT compile the loop; once in a JVM. */
    static void warmUp() {
      long end = System.nanoTime() + WARM_UP_NS;
      while (System.nanoTime() < end) {
        calibrate();
      }
    }

    /** The loop's time in nanoseconds, now: the middle one of {@link #RUNS}. */
    static long calibrate() {
      long[] times = new long[RUNS];
      for (int i = 0; i < RUNS; i++) {
        times[i] = once();
      }
      Arrays.sort(times);
      return times[RUNS / 2];
    }

    private static long once() {
      long start = System.nanoTime();
      long value = result;
      for (int i = 0; i < CALLS; i++) {
        value = steps(value);
      }
      result = value;
      return System.nanoTime() - start;
    }

    /** Marsaglia's xorshift: each step needs the one before. */
    private static long steps(long value) {
      long x = value;
      for (int i = 0; i < STEPS; i++) {
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
      }
      return x;
    }
  }
}
