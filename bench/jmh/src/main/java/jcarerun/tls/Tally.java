package jcarerun.tls;

/** What one client thread has done since the last iteration ended. */
public final class Tally {
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
