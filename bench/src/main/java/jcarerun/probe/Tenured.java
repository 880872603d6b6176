package jcarerun.probe;

/**
 * Brings what lives for as long as the JVM to the old generation, where it would be in the end.
 *
 * <p>Young collections copy an object up to fifteen times before it counts as old (MaxTenuringThreshold). Until then
 * each of them copies all that JVM and JMH hold, some 3 MB: 3 ms instead of 0.4, so that an operation that allocates
 * is 4 to 8 % slower for its first 16 collections. A fork of a second ends before that, one of a minute doesn't.
 */
public final class Tenured {
  /** Whether a fork of somebody else's benchmark, which isn't warmed up by count, does it before an iteration. */
  static final boolean WANTED = Boolean.getBoolean("jcarerun.tenured");

  private Tenured() {}

  /** Collects everything, by which the collectors that have generations make old what is alive. */
  public static void promote() {
    System.gc();
  }
}
