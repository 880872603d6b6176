package jcarerun.kit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/** What the person who waits sees: which round, how much of it is done, how long it will still take. */
final class Progress {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final int rounds;
  private final boolean terminal = System.console() != null;
  private double leftS;
  private double expectedS;
  private double takenS;
  private int finished;
  private PlannedRound current;
  private long start;

  Progress(List<PlannedRound> missing) {
    rounds = missing.size();
    leftS = missing.stream().mapToDouble(round -> round.expectedS).sum();
  }

  /** The guess before anything was measured; afterwards it is corrected by the time that rounds took. */
  String expectation() {
    return rounds == 0 ? "nothing is left to measure" : rounds + " to measure: about " + words(leftS);
  }

  private String left(double ownShare) {
    double correction = expectedS > 0 ? takenS / expectedS : 1;
    return words(correction * Math.max(leftS - ownShare * current.expectedS, 0)) + " left";
  }

  /** Begins a round; what it returns is to be told of its forks. */
  BiConsumer<Integer, Integer> start(PlannedRound round) {
    current = round;
    start = System.nanoTime();
    return (done, forks) -> {
      if (terminal) {
        System.out.print("\rround " + (finished + 1) + " of " + rounds + ", fork " + done + " of " + forks + ", "
            + left((double) done / forks) + "      ");
        System.out.flush();
      }
    };
  }

  /** Ends the round. */
  void finished() {
    double ownS = (System.nanoTime() - start) / 1e9;
    takenS += ownS;
    expectedS += current.expectedS;
    leftS -= current.expectedS;
    finished++;
    System.out.println((terminal ? "\r" : "") + "round " + finished + " of " + rounds + ": " + current.experiment
        + ", " + words(ownS) + "; " + left(0) + "      ");
  }

  /** UTC, ISO 8601, to the millisecond. */
  static String now() {
    return FORMAT.format(Instant.now());
  }

  /** 95 as {@code 1:35 min}, 4000 as {@code 1:06 h}. */
  static String words(double seconds) {
    long whole = Math.round(seconds);
    return whole < 3600 ? String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d:%02d h", whole / 3600, whole % 3600 / 60);
  }
}
