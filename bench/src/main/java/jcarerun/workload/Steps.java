package jcarerun.workload;

import java.util.Arrays;
import jcarerun.probe.Observations;

/**
 * A stop-watch for the steps of an operation, {@link System#nanoTime} around each, as in the study.
 *
 * <p>A step's time includes one reading of the clock, about 25 ns; the whole operation is timed by JMH besides.
 */
final class Steps {
  private final String[] names;
  private final long[] sums;
  private long mark;
  private long operations;

  Steps(String... names) {
    this.names = names;
    this.sums = new long[names.length];
  }

  /** Starts an operation, or goes on after something that isn't timed. */
  void start() {
    mark = System.nanoTime();
  }

  /** Ends a step: all time since the last mark is its own. */
  void lap(int step) {
    long now = System.nanoTime();
    sums[step] += now - mark;
    mark = now;
  }

  /** Ends an operation. */
  void done() {
    operations++;
  }

  /** Adds {@code step.<name>}, nanoseconds per operation, to the iteration's observations, and begins anew. */
  void observe() {
    for (int i = 0; i < names.length; i++) {
      if (operations > 0) {
        Observations.add("step." + names[i], (double) sums[i] / operations);
      }
    }
    forget();
  }

  /** Begins anew, as after calls that only warmed up. */
  void forget() {
    Arrays.fill(sums, 0);
    operations = 0;
  }
}
