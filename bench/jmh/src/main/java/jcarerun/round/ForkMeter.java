package jcarerun.round;

import java.io.IOException;
import java.io.InterruptedIOException;
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
}
