package jcarerun.kit;

import java.util.List;
import java.util.function.BiConsumer;

/** What the person who waits sees: which round, how much of it is done, how long it will still take. */
final class Progress {
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
    return rounds == 0 ? "nothing is left to measure" : rounds + " to measure: about " + Clock.words(leftS);
  }

  private String left(double ownShare) {
    double correction = expectedS > 0 ? takenS / expectedS : 1;
    return Clock.words(correction * Math.max(leftS - ownShare * current.expectedS, 0)) + " left";
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
        + ", " + Clock.words(ownS) + "; " + left(0) + "      ");
  }
}
