package jcarerun.round;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jcarerun.probe.ProbedWorkload.SharesItsCpus;

/** The gates of gates.tsv: how much interference makes a fork invalid, and how many forks a round runs again. */
final class Gates {
  static final String FILE = "gates.tsv";

  private final Map<String, BigDecimal> limits = new LinkedHashMap<>();
  private final Map<String, BigDecimal> least = new LinkedHashMap<>();
  private BigDecimal rerunShare;

  private Gates() {}

  /**
   * Reads the lines of gates.tsv: {@code gate limit least} each, and a last one {@code reruns share}.
   *
   * @throws IllegalArgumentException in one line that names the line and what is wrong with it
   */
  static Gates read(List<String> lines) {
    Gates gates = new Gates();
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split("\t", -1);
      try {
        if (words[0].equals("reruns") && words.length == 2) {
          gates.rerunShare = number(words[1]);
        } else if (Interference.MEASURES.contains(words[0]) && words.length == 3) {
          gates.limits.put(words[0], number(words[1]));
          gates.least.put(words[0], number(words[2]));
        } else {
          throw new NumberFormatException();
        }
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(FILE + ", line " + (i + 1) + ": must be a gate of " + Interference.MEASURES
            + " with its limit and least amount, or reruns with a share, is '" + lines.get(i) + "'", e);
      }
    }
    if (gates.rerunShare == null) {
      throw new IllegalArgumentException(FILE + ": lacks the line 'reruns' with the share of forks to run again");
    }
    return gates;
  }

  private static BigDecimal number(String text) {
    BigDecimal number = new BigDecimal(text);
    if (number.signum() < 0) {
      throw new NumberFormatException();
    }
    return number;
  }

  /** Names of the gates that a fork breaks: its value is above the limit, and the amount no less than the least. */
  List<String> broken(Interference fork) {
    Map<String, double[]> measures = fork.measures();
    if (fork.plan.isA(SharesItsCpus.class)) {
      measures.remove(Interference.INVOLUNTARY);
    }
    return limits.keySet().stream().filter(measures::containsKey)
        .filter(gate -> measures.get(gate)[0] > limits.get(gate).doubleValue()
            && measures.get(gate)[1] >= least.get(gate).doubleValue())
        .collect(Collectors.toList());
  }

  /**
   * The forks to be run again: those that broke a gate, in their order, as many as may be. They are numbered on from
   * the {@code planned} ones, and entered in the forks that they repeat.
   */
  List<ForkPlan> reruns(List<Interference> done, int planned) {
    List<ForkPlan> again = new ArrayList<>();
    for (Interference fork : done) {
      if (!fork.broken.isEmpty() && again.size() < mostReruns(planned)) {
        fork.rerunAs = planned + again.size() + 1;
        again.add(fork.plan.again(fork.rerunAs));
      }
    }
    return again;
  }

  /** How many forks of a round are run again at most. */
  int mostReruns(int forks) {
    return rerunShare.multiply(BigDecimal.valueOf(forks)).setScale(0, RoundingMode.CEILING).intValue();
  }
}
