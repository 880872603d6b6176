package jcarerun.tls;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import jcarerun.probe.Observations;

/** The server of a fork, shared by its client threads, and the account of what they and it have done. */
public final class SharedServer {
  /** A thread that failed makes no account: the others wait for it no longer than this. */
  private static final long MOST_NS = 10_000_000_000L;

  private static SharedServer shared;

  private final Server server;
  private final Settings settings;
  private final LoadMeter meter;
  private final Tally iteration = new Tally();
  /** Threads that have come, and of those the ones that have not left: one may leave before another has ended. */
  private int joined;
  private int users;
  private int ended;
  private int accounts;
  private boolean measuring;
  private long handshakes;

  private SharedServer(Settings settings, Cpus cpus) throws IOException {
    this.server = new Server(settings, cpus);
    this.settings = settings;
    this.meter = new LoadMeter(server, cpus);
  }

  /** The fork's server, started by the first thread that asks. */
  public static synchronized SharedServer join(Settings settings, Cpus cpus) throws IOException {
    if (shared == null) {
      shared = new SharedServer(settings, cpus);
    }
    shared.joined++;
    shared.users++;
    return shared;
  }

  /** Its port. */
  public int port() {
    return server.port();
  }

  /** Takes account of the handshakes before the first iteration, and forgets them. */
  public synchronized void verified(Tally tally) {
    handshakes += tally.done;
    tally.clear();
  }

  /** An iteration begins; its account does so with the first thread that says it. */
  public synchronized void began() {
    if (!measuring) {
      measuring = true;
      meter.start();
    }
  }

  /**
   * Takes account of one thread's iteration; the last thread's call adds the observations, per handshake. The others
   * wait for it: their next handshakes must not be in this account.
   *
   * @throws IllegalStateException when the server saw other clients' certificates than it had to
   */
  public synchronized void ended(Tally tally, String who) {
    iteration.add(tally);
    tally.clear();
    ended++;
    if (ended < joined) {
      awaitAccount();
      return;
    }
    try {
      account(who);
    } finally {
      iteration.clear();
      ended = 0;
      accounts++;
      notifyAll();
    }
  }

  private void awaitAccount() {
    int before = accounts;
    long end = System.nanoTime() + MOST_NS;
    try {
      for (long left = MOST_NS; accounts == before && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while another thread's iteration ended", e);
    }
  }

  private void account(String who) {
    Server.Reading last = meter.before();
    Server.Reading now = meter.stop(iteration.done, handshakes);
    measuring = false;
    long answered = now.answered - last.answered;
    long authenticated = now.authenticated - last.authenticated;
    handshakes += iteration.done;
    if (now.answered != handshakes || authenticated != (settings.clientAuth() ? answered : 0)) {
      throw new IllegalStateException(who + "of " + iteration.done + " handshakes the server saw " + answered + ", "
          + authenticated + " with a client's certificate");
    }
    double each = Math.max(1, iteration.done);
    Observations.add("server-cpu", (now.cpuNs - last.cpuNs) / each);
    Observations.add("sent-bytes", iteration.sent / each);
    Observations.add("received-bytes", iteration.received / each);
    Observations.add("proved-full", settings.cached() ? 0 : iteration.done);
    Observations.add("proved-resumed", settings.cached() ? iteration.done : 0);
    Observations.add("proved-client-auth", authenticated);
    Observations.counts("latency", iteration.latencies.take());
  }

  /** Ends the server when the last thread leaves. */
  public void leave() throws IOException {
    synchronized (SharedServer.class) {
      users--;
      if (users > 0) {
        return;
      }
      shared = null;
    }
    server.close();
  }

  /** What one client thread has done since the last iteration ended. */
  public static final class Tally {
    final Latencies latencies = new Latencies();
    int done;
    int wrong;
    long sent;
    long received;
    private String difference;

    /** Counts a handshake, and whether it was what it had to be; {@code problem} is null if it was. */
    public void handshake(String problem) {
      done++;
      if (problem != null) {
        wrong++;
        difference = problem;
      }
    }

    /** Counts what a connection took, from its beginning to its end. */
    public void connection(WireSocket wire, long ns) {
      sent += wire.sent();
      received += wire.received();
      latencies.add(ns);
    }

    /**
     * Throws if any handshake was not what it had to be.
     *
     * @throws IllegalStateException with the last difference, and with the count
     */
    public void check(String who) {
      if (wrong > 0) {
        throw new IllegalStateException(who + difference + " (" + wrong + " of " + done + " handshakes)");
      }
    }

    /** Takes over what another thread has done. */
    void add(Tally other) {
      done += other.done;
      sent += other.sent;
      received += other.received;
      latencies.add(other.latencies);
    }

    /** Forgets all. */
    void clear() {
      done = 0;
      wrong = 0;
      sent = 0;
      received = 0;
      latencies.take();
    }
  }
}
