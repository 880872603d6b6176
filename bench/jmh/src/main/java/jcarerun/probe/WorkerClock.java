package jcarerun.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import jcarerun.Wine;

/**
 * Times an iteration from inside JMH's worker threads.
 *
 * <p>JMH's profilers can't: the workers are born after the first iteration's start is announced, and set-up and
 * tear-down of the whole fork run between start and end of its first and last iteration. Key generation, correctness
 * checks and file deletion would all be counted as the operation's.
 *
 * <p>What JMH itself does in the worker between these two marks is counted: 4 microseconds an iteration once warm, 50
 * in a fork's first iteration (JDK 17, AMD EPYC). That matters for single shots of microseconds only.
 */
public final class WorkerClock {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  /** On Wine another process does part of a thread's work, reading and writing files, and no clock counts it. */
  private static final boolean KNOWN = !Wine.isRunning() && THREADS.isCurrentThreadCpuTimeSupported();
  private static final ThreadLocal<Long> CPU_AT_START = new ThreadLocal<>();
  private static final ThreadLocal<Long> SWITCHES_AT_START = new ThreadLocal<>();
  private static final ThreadLocal<Long> BYTES_AT_START = new ThreadLocal<>();
  private static Window window;

  private WorkerClock() {}

  /** Marks the start of an iteration in this worker; the last thing its set-up does. */
  public static void start() {
    SWITCHES_AT_START.set(JvmCounters.involuntarySwitches());
    synchronized (WorkerClock.class) {
      if (window == null) {
        window = new Window(true);
      }
    }
    BYTES_AT_START.set(allocatedBytes());
    CPU_AT_START.set(cpu());
  }

  /** Marks the end of an iteration in this worker; the first thing its tear-down does. */
  public static void stop() {
    long cpu = cpu() - CPU_AT_START.get();
    Long bytes = allocatedBytes();
    synchronized (WorkerClock.class) {
      window.end(cpu);
    }
    // Read last, since that takes longer than the clocks: it is in no time that is measured.
    Long switches = JvmCounters.involuntarySwitches();
    synchronized (WorkerClock.class) {
      window.involuntarySwitches = sum(window.involuntarySwitches, switches, SWITCHES_AT_START.get());
      window.allocatedBytes = sum(window.allocatedBytes, bytes, BYTES_AT_START.get());
    }
  }

  /** CPU time of this thread in ns; 0 where it is not known. */
  public static long cpu() {
    return KNOWN ? THREADS.getCurrentThreadCpuTime() : 0;
  }

  /** Bytes that this thread has allocated; null where the JVM has none. */
  private static Long allocatedBytes() {
    if (!(THREADS instanceof com.sun.management.ThreadMXBean)) {
      return null;
    }
    long bytes = ((com.sun.management.ThreadMXBean) THREADS).getThreadAllocatedBytes(Thread.currentThread().getId());
    return bytes < 0 ? null : Long.valueOf(bytes);
  }

  private static Long sum(Long before, Long atEnd, Long atStart) {
    return before == null || atEnd == null || atStart == null ? null : Long.valueOf(before + atEnd - atStart);
  }

  /** Hands over the iteration that has ended, and forgets it; null if no worker marked one. */
  static synchronized Window take() {
    Window taken = window;
    window = null;
    return taken;
  }

  /** Begins an iteration of a benchmark that marks none: a fork's set-up and tear-down are in it, no CPU time is. */
  static Window around() {
    return new Window(false);
  }

  /** An iteration: from the first worker's start to the last one's end, and the CPU time in between. */
  static final class Window {
    final Long gcMsAtStart = JvmCounters.collectorMs();
    final Long jitMsAtStart = JvmCounters.compilerMs();
    final long[] processCpuAtStart;
    final long startEpochMs = System.currentTimeMillis();
    final double startUptimeMs = UptimeClock.millis();
    double endUptimeMs;
    long[] processCpuAtEnd;
    Long gcMsAtEnd;
    Long jitMsAtEnd;
    /** Of all workers; null where the system has none. */
    Long involuntarySwitches;
    /** Of all workers; null where the JVM has none. */
    Long allocatedBytes;
    private final boolean ofWorkers;
    private long workerCpuNs;

    private Window(boolean ofWorkers) {
      this.ofWorkers = ofWorkers;
      this.processCpuAtStart = ofWorkers ? JvmCounters.processCpuNs() : null;
      this.involuntarySwitches = ofWorkers ? 0L : null;
      this.allocatedBytes = involuntarySwitches;
    }

    private void end(long cpuNs) {
      end();
      processCpuAtEnd = JvmCounters.processCpuNs();
      workerCpuNs += cpuNs;
    }

    /** Ends it. */
    void end() {
      endUptimeMs = UptimeClock.millis();
      gcMsAtEnd = JvmCounters.collectorMs();
      jitMsAtEnd = JvmCounters.compilerMs();
    }

    /** User and system time of all workers in nanoseconds, or null where it is not known. */
    Long workerCpuNs() {
      return KNOWN && ofWorkers ? workerCpuNs : null;
    }
  }
}
