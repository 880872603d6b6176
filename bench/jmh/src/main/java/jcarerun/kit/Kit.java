package jcarerun.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
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
}
