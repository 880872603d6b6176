package jcarerun.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An unpacked kit: {@code plan.tsv}, {@code rounds/}, {@code benchmarks.jar}, {@code providers/}, {@code captures.txt},
 * which names the files that tell of a machine, and {@code kit.sha256} over all of them.
 */
final class Kit {
  static final String JAR = "benchmarks.jar";

  final Path root;
  final List<PlannedRound> rounds;
  final Capture capture;

  private Kit(Path root) throws IOException {
    this.root = root;
    this.rounds = PlannedRound.read(lines("plan.tsv"));
    this.capture = new Capture(Paths.get("/"), lines("captures.txt"));
  }

  /** Opens the kit in a directory; throws KitError when it isn't one, or isn't whole. */
  static Kit open(Path root) throws IOException {
    Path list = root.resolve("kit.sha256");
    if (!Files.isRegularFile(list)) {
      throw new KitError(root.toAbsolutePath().normalize()
          + ": there is no kit here; unpack the whole zip, and start run.sh or run.bat where it was unpacked");
    }
    String bad = KitFiles.firstBad(root, list);
    if (bad != null) {
      throw new KitError(bad + ": is missing or was changed; unpack the kit again (results/ may stay)");
    }
    return new Kit(root);
  }

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(root.resolve(name), StandardCharsets.UTF_8);
  }

  /**
   * Whether a round has been measured.
   *
   * @throws KitError when it was changed since
   */
  boolean has(PlannedRound round, String environment) throws IOException {
    Path folder = root.resolve(round.result(environment));
    if (!Files.isDirectory(folder)) {
      return false;
    }
    Path list = folder.resolve(KitFiles.MANIFEST);
    String bad = Files.isRegularFile(list) ? KitFiles.firstBad(folder, list) : KitFiles.MANIFEST;
    if (bad != null) {
      throw new KitError(round.result(environment) + '/' + bad
          + ": is missing or was changed; remove that round's directory to measure it again");
    }
    return true;
  }

  /** A line of plan.tsv: a round that is to be measured. */
  static final class PlannedRound {
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
}
