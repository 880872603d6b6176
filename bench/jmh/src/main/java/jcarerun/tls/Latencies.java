package jcarerun.tls;

/**
 * Counts of times in bins that grow by a sixteenth of a doubling, 4.4 %: bin i, from 0 on, holds times up to
 * 1000 * 2^(i/16) ns, and the last one all above 16.8 s. No single time is lost, and percentiles are right to the
 * width of a bin.
 */
public final class Latencies {
  static final int PER_DOUBLING = 16;
  static final int BINS = 24 * PER_DOUBLING + 2;
  private static final double FIRST_NS = 1000;

  private long[] counts = new long[BINS];

  /** Counts a time. */
  public void add(long ns) {
    counts[bin(ns)]++;
  }

  /** Takes over counts. */
  void add(Latencies other) {
    for (int i = 0; i < BINS; i++) {
      counts[i] += other.counts[i];
    }
  }

  static int bin(long ns) {
    if (ns <= FIRST_NS) {
      return 0;
    }
    int bin = (int) Math.ceil(PER_DOUBLING * Math.log(ns / FIRST_NS) / Math.log(2) - 1e-9);
    return Math.min(bin, BINS - 1);
  }

  /** Hands over the counts, and starts anew. */
  public long[] take() {
    long[] taken = counts;
    counts = new long[BINS];
    return taken;
  }
}
