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
  private final boolean[] timed;
  private long mark;
  private long operations;

  /** Of some measures, which the steps have as their names. */
  Steps(String... names) {
    this.names = names;
    this.sums = new long[names.length];
    this.timed = new boolean[names.length];
  }

  /** Starts an operation, or goes on after something that isn't timed. */
  void start() {
    mark = System.nanoTime();
  }

  /** Ends a step, which has all time since the last mark. */
  void lap(int step) {
    long now = System.nanoTime();
    sums[step] += now - mark;
    timed[step] = true;
    mark = now;
  }

  /** Ends an operation. */
  void done() {
    operations++;
  }

  /** Adds the nanoseconds per operation of each step that was timed to the iteration's observations; begins anew. */
  void observe() {
    for (int i = 0; i < names.length; i++) {
      if (operations > 0 && timed[i]) {
        Observations.add(names[i], (double) sums[i] / operations);
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
