package jcarerun.kit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A line of plan.tsv: a round that is to be measured. */
final class PlannedRound {
  static final String HEADER = "experiment\tround\tseed\texpected_s\tfork_timeout_s\tclass_path";

  final String experiment;
  final String round;
  /** The run's, by which the pipeline finds its plan again. */
  final long seed;
  final double expectedS;
  final int forkTimeoutS;
  /** The jars of its JVMs, from the kit's directory on: the kit's own, or the harness and then jars of others. */
  final List<String> classPath;

  private PlannedRound(List<String> fields) {
    experiment = fields.get(0);
    round = fields.get(1);
    seed = Long.parseLong(fields.get(2));
    expectedS = Double.parseDouble(fields.get(3));
    forkTimeoutS = Integer.parseInt(fields.get(4));
    classPath = Arrays.asList(fields.get(5).split(","));
  }

  /** Reads the lines of plan.tsv; throws KitError naming the line that is none. */
  static List<PlannedRound> read(List<String> lines) {
    if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
      throw new KitError("plan.tsv, line 1: is not what this jar expects; unpack the whole kit into one directory");
    }
    List<PlannedRound> rounds = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      List<String> fields = Arrays.asList(lines.get(i).split("\t", -1));
      try {
        rounds.add(new PlannedRound(fields));
      } catch (IndexOutOfBoundsException | NumberFormatException e) {
        throw new KitError("plan.tsv, line " + (i + 1) + ": is not a round; unpack the kit again");
      }
    }
    return rounds;
  }

  /** The jar whose benchmarks it measures. */
  String subject() {
    return classPath.get(classPath.size() > 1 ? 1 : 0);
  }

  /** Where its cells.csv, forks.tsv and gates.tsv lie in the kit. */
  String inputs() {
    return "rounds/" + experiment + '/' + round;
  }

  /** Where its result goes. */
  String result(String environment) {
    return "results/" + experiment + '/' + environment + '/' + round;
  }
}
