package jcarerun.kit;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A line of plan.tsv: a round that is to be measured, with what its record says of the plan. */
final class PlannedRound {
  static final String HEADER =
      "experiment\tround\tnumber\ttier\tseed\torder_seed\texpected_s\tfork_timeout_s\tproviders";

  final String experiment;
  final String round;
  final double expectedS;
  final int forkTimeoutS;
  /** Provider id to the SHA-256 of its jar; empty for the JDK's own. */
  final Map<String, String> providers = new LinkedHashMap<>();
  private final List<String> fields;

  private PlannedRound(List<String> fields) {
    this.fields = fields;
    this.experiment = fields.get(0);
    this.round = fields.get(1);
    this.expectedS = Double.parseDouble(fields.get(6));
    this.forkTimeoutS = Integer.parseInt(fields.get(7));
    for (String provider : fields.get(8).split(",")) {
      String[] parts = provider.split("=", 2);
      providers.put(parts[0], parts[1]);
    }
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

  /** Where its cells.csv, forks.tsv and gates.tsv lie in the kit. */
  String inputs() {
    return "rounds/" + experiment + '/' + round;
  }

  /** Where its result goes. */
  String result(String environment) {
    return "results/" + experiment + '/' + environment + '/' + round;
  }

  /** The plan's part of round.json. */
  Map<String, Object> record(String environment) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("schema", 2);
    record.put("experiment", experiment);
    record.put("environment", environment);
    record.put("round", round);
    record.put("number", new BigDecimal(fields.get(2)));
    // How many rounds there must be is planned from the first stage, by the pipeline; a kit is given that stage.
    record.put("stage", 1);
    record.put("plan_sha256", "");
    record.put("tier", fields.get(3));
    record.put("seed", new BigDecimal(fields.get(4)));
    record.put("order_seed", new BigDecimal(fields.get(5)));
    record.put("expected_s", new BigDecimal(fields.get(6)));
    return record;
  }
}
