package jcarerun.tls;

/**
 * Counts of times in bins that grow by a sixteenth of a doubling, 4.4 %: bin i holds times up to 1000 * 2^(i/16) ns; the
 * last one, all longer than 16 s. So no single time is lost, and percentiles are right to the width of a bin.
 */
public final class Latencies {
  static final int PER_DOUBLING = 16;
  private static final int BINS = 24 * PER_DOUBLING + 2;
  private static final double FIRST_NS = 1000;

  private long[] counts = new long[BINS];
  private long longest;

  /** Counts a time. */
  public void add(long ns) {
    counts[bin(ns)]++;
    longest = Math.max(longest, ns);
  }

  static int bin(long ns) {
    if (ns <= FIRST_NS) {
      return 0;
    }
    int bin = (int) Math.ceil(PER_DOUBLING * Math.log(ns / FIRST_NS) / Math.log(2) - 1e-9);
    return Math.min(bin, BINS - 1);
  }

  /** The longest time. */
  public long longest() {
    return longest;
  }

  /** Hands over the counts, and starts anew. */
  public long[] take() {
    long[] taken = counts;
    counts = new long[BINS];
    longest = 0;
    return taken;
  }
}
