package jcarerun.round;

import java.util.ArrayList;
import java.util.List;

/** Chooses which forks of a round are run once more. */
final class Reruns {
  private Reruns() {}

  /**
   * The reruns, numbered on from the {@code planned} forks, and entered in the forks they repeat: those that broke a
   * gate, in their order, as many as may be.
   */
  static List<ForkPlan> of(List<Interference> done, int planned, int most) {
    List<ForkPlan> again = new ArrayList<>();
    for (Interference fork : done) {
      if (!fork.broken.isEmpty() && again.size() < most) {
        fork.rerunAs = planned + again.size() + 1;
        again.add(fork.plan.again(fork.rerunAs));
      }
    }
    return again;
  }
}
