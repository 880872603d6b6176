package jcarerun.workload;

import jcarerun.probe.ProbedWorkload.WrongAnswer;

/** Comparisons made before and after timing. Each throws WrongAnswer, which names subject, provider and difference. */
public final class Check {
  private final String who;

  Check(String subject, String provider) {
    this.who = subject + " of provider " + provider + " is wrong: ";
  }

  /** Two byte arrays must be equal. */
  public void same(String what, byte[] expected, byte[] found) {
    same("length of the " + what, expected.length, found.length);
    for (int i = 0; i < expected.length; i++) {
      if (expected[i] != found[i]) {
        throw new WrongAnswer(who + what + " differs at byte " + i + " of " + expected.length);
      }
    }
  }

  /** An answer must be that of a reference; null stands for a reference that has none. */
  public void sameAsReference(String what, byte[] reference, byte[] found) {
    if (reference != null) {
      same(what + " of the JDK's own provider", reference, found);
    }
  }

  /** Two numbers must be equal. */
  public void same(String what, long expected, long found) {
    that(what + " must be " + expected + ", is " + found, expected == found);
  }

  /** A condition must hold; {@code problem} says what is wrong when it doesn't. */
  public void that(String problem, boolean holds) {
    if (!holds) {
      throw new WrongAnswer(who + problem);
    }
  }
}
