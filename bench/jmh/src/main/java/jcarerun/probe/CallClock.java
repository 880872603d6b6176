package jcarerun.probe;

import java.util.Arrays;

/**
 * Times single calls within an iteration by {@link System#nanoTime}, the first {@link #MOST} of them.
 *
 * <p>Observed, a number for each call: {@code calls}, how long it took in nanoseconds; {@code calls.start}, when it
 * began, in microseconds of the JVM's uptime, which is the GC log's clock; {@code calls.switched}, how often its thread
 * had to leave its CPU from the call before it on (Linux alone tells). Linux is asked between calls, outside their
 * times; that takes some ten microseconds, which belong to the iteration.
 */
public final class CallClock {
  /** Calls of one iteration that are kept. */
  static final int MOST = 500;

  private final long[] ns = new long[MOST];
  private final long[] startUs = new long[MOST];
  private final long[] switches = new long[MOST];
  private int calls;
  private Long switchesBefore;
  private long start;

  /** Starts a call's clock. */
  public void start() {
    if (calls < MOST) {
      if (calls == 0) {
        switchesBefore = JvmCounters.involuntarySwitches();
      }
      startUs[calls] = Math.round(UptimeClock.millis() * 1000);
    }
    start = System.nanoTime();
  }

  /** Stops it. */
  public void stop() {
    long taken = System.nanoTime() - start;
    if (calls == MOST) {
      return;
    }
    ns[calls] = taken;
    if (switchesBefore != null) {
      long now = JvmCounters.involuntarySwitches();
      switches[calls] = now - switchesBefore;
      switchesBefore = now;
    }
    calls++;
  }

  /** Adds what was observed of the iteration's calls, and begins anew. */
  public void observe() {
    if (calls > 0) {
      Observations.counts("calls", Arrays.copyOf(ns, calls));
      Observations.counts("calls.start", Arrays.copyOf(startUs, calls));
      if (switchesBefore != null) {
        Observations.counts("calls.switched", Arrays.copyOf(switches, calls));
      }
    }
    forget();
  }

  /** Begins anew, as after calls that only warmed up. */
  public void forget() {
    calls = 0;
  }
}
