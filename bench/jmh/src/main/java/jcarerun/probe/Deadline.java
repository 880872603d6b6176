package jcarerun.probe;

import java.util.concurrent.TimeUnit;

/**
 * Ends a forked JVM that takes too long: halts it once {@code jcarerun.fork-timeout} seconds have passed.
 *
 * <p>JMH's own {@code -to} interrupts a worker, and waits for ever if the worker is deaf to that. A JVM that halts
 * itself works alike on every system, and needs no process ids, which JDK 8 doesn't have.
 */
public final class Deadline {
  /** System property: seconds. */
  public static final String PROPERTY = "jcarerun.fork-timeout";

  /** Of a JVM that took too long. */
  public static final int EXIT_CODE = 124;

  private Deadline() {}

  /** Starts the clock, if the property is set. */
  static void arm() {
    Integer seconds = Integer.getInteger(PROPERTY);
    if (seconds != null) {
      after(seconds, () -> Runtime.getRuntime().halt(EXIT_CODE));
    }
  }

  /** Runs an action after some seconds, unless the thread it returns is interrupted before. */
  public static Thread after(int seconds, Runnable action) {
    Thread thread = new Thread(() -> {
      try {
        TimeUnit.SECONDS.sleep(seconds);
      } catch (InterruptedException e) {
        return;
      }
      action.run();
    }, "jcarerun-deadline");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
