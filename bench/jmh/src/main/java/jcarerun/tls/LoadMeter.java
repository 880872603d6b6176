package jcarerun.tls;

import jcarerun.probe.JvmCounters;
import jcarerun.probe.Observations;

/**
 * Measures a load: its time on the clock and the CPU time of both JVMs over the same span. A side's utilisation is then
 * exactly its CPU time per operation times the operations per second.
 *
 * <p>A side's CPU time is that of its whole JVM, with compilers and collector, as a machine's own meter shows it. Linux
 * counts it in ticks of 10 ms, so that only sums over a fork are precise.
 */
public final class LoadMeter {
  private final Server server;
  private final Cpus cpus;
  private Server.Reading before;
  private Long clientNs;
  private long startNs;

  /** Of a server and of this JVM, its client. */
  public LoadMeter(Server server, Cpus cpus) {
    this.server = server;
    this.cpus = cpus;
  }

  /** The span begins. */
  public void start() {
    before = server.read();
    clientNs = JvmCounters.allCpuNs();
    startNs = System.nanoTime();
  }

  /** What the server had done when the span began. */
  public Server.Reading before() {
    return before;
  }

  /**
   * The span ends: observes it.
   *
   * @param done operations in it
   * @param doneBefore operations of the fork before it, those of its warm-up too
   * @return what the server has done until now
   */
  public Server.Reading stop(long done, long doneBefore) {
    long spanNs = System.nanoTime() - startNs;
    Long clientNow = JvmCounters.allCpuNs();
    Server.Reading now = server.read();
    Observations.add("load.span", spanNs);
    Observations.add("load.done", done);
    Observations.add("load.before", doneBefore);
    add("load.client", clientNow, clientNs, 1);
    add("load.server", now.processNs, before.processNs, 1);
    add("load.server-jit", now.jitMs, before.jitMs, 1_000_000);
    cpus.observe();
    return now;
  }

  private static void add(String measure, Long now, Long then, long unit) {
    if (now != null && then != null) {
      Observations.add(measure, (now - then) * unit);
    }
  }
}
