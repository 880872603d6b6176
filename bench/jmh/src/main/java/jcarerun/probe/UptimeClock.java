package jcarerun.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.reflect.Method;

/**
 * The JVM's uptime in milliseconds, on the clock of HotSpot's GC log but finer than the platform bean gives it.
 *
 * <p>From JDK 9 on the bean and the log count from the same instant. JDK 8's bean counts from the end of the JVM's
 * start, and its log from the beginning, by a counter of HotSpot's that can be read. The nanosecond clock is laid over
 * either once.
 */
final class UptimeClock {
  /** Two readings of the nanosecond clock belong together if they lie no further apart. */
  private static final long GOOD_NS = 20_000;

  /** How often to look for such readings on a busy machine before the best so far has to do. */
  private static final int TRIES = 50;

  /** The nanosecond clock at uptime 0. */
  private static final double ZERO_NS = findZero();

  private UptimeClock() {}

  /** Milliseconds since the JVM's start. */
  static double millis() {
    return (System.nanoTime() - ZERO_NS) / 1e6;
  }

  private static double findZero() {
    if (System.getProperty("java.specification.version").startsWith("1.")) {
      try {
        return zeroByCounter();
      } catch (ReflectiveOperationException e) {
        // Another vendor's JVM, with another log: the bean has to do.
      }
    }
    return zeroByBean();
  }

  /** JDK 8: sun.misc.Perf, by name since later JDKs haven't got it. */
  private static double zeroByCounter() throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Perf");
    Object perf = type.getMethod("getPerf").invoke(null);
    Method counter = type.getMethod("highResCounter");
    double tickNs = 1e9 / (Long) type.getMethod("highResFrequency").invoke(perf);
    double zero = 0;
    long narrowest = Long.MAX_VALUE;
    for (int tries = 0; tries < TRIES && narrowest > GOOD_NS; tries++) {
      long before = System.nanoTime();
      long ticks = (Long) counter.invoke(perf);
      long width = System.nanoTime() - before;
      if (width < narrowest) {
        narrowest = width;
        zero = before + width / 2.0 - ticks * tickNs;
      }
    }
    return zero;
  }

  /** The bean gives whole milliseconds: waits for it to step, where its value is exact. */
  private static double zeroByBean() {
    RuntimeMXBean bean = ManagementFactory.getRuntimeMXBean();
    double zero = 0;
    long narrowest = Long.MAX_VALUE;
    for (int tries = 0; tries < TRIES && narrowest > GOOD_NS; tries++) {
      long last = bean.getUptime();
      long now = last;
      long previous = 0;
      long current = System.nanoTime();
      while (now == last) {
        previous = current;
        current = System.nanoTime();
        now = bean.getUptime();
      }
      // The step lies between the last reading but one and here.
      long width = System.nanoTime() - previous;
      if (width < narrowest) {
        narrowest = width;
        zero = previous + width / 2.0 - now * 1e6;
      }
    }
    return zero;
  }
}
