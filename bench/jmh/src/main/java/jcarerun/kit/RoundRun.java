package jcarerun.kit;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import jcarerun.Sha256;
import jcarerun.kit.Kit.PlannedRound;
import jcarerun.round.RoundMain;
import org.openjdk.jmh.util.Utils;

/**
 * Measures one round in a directory of its own, with what the machine says before and after it. It becomes a result by
 * a rename.
 */
final class RoundRun {
  static final String MACHINE = "machine";
  static final String HOST = "host.txt";

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Kit kit;
  private final Machine machine;
  private final PlannedRound round;

  RoundRun(Kit kit, Machine machine, PlannedRound round) {
    this.kit = kit;
    this.machine = machine;
    this.round = round;
  }

  /**
   * Measures the round.
   *
   * @param progress is given how many of the round's forks are done, and how many there are
   * @throws KitError with the round's last words if it fails; what there was of it is in failed/ then
   */
  void run(BiConsumer<Integer, Integer> progress) throws IOException {
    // One level below the kit, as the paths in forks.tsv want it.
    Path work = Files.createTempDirectory(kit.root, KitFiles.WORK);
    try {
      measure(work, progress);
    } catch (KitError e) {
      Path kept = kit.root.resolve("failed").resolve(round.experiment + '-' + round.round);
      KitFiles.remove(kept);
      KitFiles.move(work, kept);
      throw new KitError(e.getMessage() + "; what there was is kept in failed/" + kept.getFileName());
    }
    KitFiles.move(work, kit.root.resolve(round.result(machine.environment)));
  }

  private void measure(Path work, BiConsumer<Integer, Integer> progress) throws IOException {
    for (String name : new String[] {"cells.csv", "forks.tsv", "gates.tsv"}) {
      Files.copy(kit.root.resolve(round.inputs()).resolve(name), work.resolve(name));
    }
    Path machineFolder = work.resolve(MACHINE);
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("seed", round.seed);
    facts.put("jar_sha256", Sha256.of(kit.root.resolve(round.subject())));
    facts.put("started_at", now());
    long start = System.nanoTime();
    moment(machineFolder, "before");
    child(work, progress);
    moment(machineFolder, "after");
    facts.put("elapsed_s", Math.round((System.nanoTime() - start) / 1e6) / 1e3);
    facts.put("finished_at", now());
    Capture.lines(facts, machineFolder.resolve("round.txt"));
    kit.capture.files("host", machineFolder.resolve("host"));
    Capture.lines(machine.host(), machineFolder.resolve(HOST));
    KitFiles.writeManifest(work);
  }

  private void moment(Path folder, String name) throws IOException {
    kit.capture.files("moment", folder.resolve(name));
    Capture.lines(Machine.moment(), folder.resolve(name + ".txt"));
  }

  /** The same JVM and the same options as the pipeline's own rounds have. */
  private List<String> arguments() {
    String jars = round.classPath.stream().map(jar -> "../" + jar).collect(Collectors.joining(File.pathSeparator));
    // Its standard input is the kit's to hold: it ends when the kit is gone.
    return Arrays.asList("-Xmx128m", "-XX:+UseSerialGC", "-XX:+DisableAttachMechanism", "-cp", jars,
        RoundMain.class.getName(), "--with-stdin", "--fork-timeout", String.valueOf(round.forkTimeoutS));
  }

  private void child(Path work, BiConsumer<Integer, Integer> progress) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Utils.getCurrentJvm());
    command.addAll(arguments());
    File errors = work.resolve("stderr").toFile();
    ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile()).redirectError(errors);
    // They would add options to every JVM that nobody asked for.
    builder.environment().keySet().removeAll(Arrays.asList("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process process = builder.start();
    Thread end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end);
    int status;
    List<String> said;
    try (PrintWriter console = new PrintWriter(Files.newBufferedWriter(work.resolve("console.log")))) {
      console.print("java " + String.join(" ", arguments()) + '\n');
      try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          console.print(line + '\n');
          String[] words = line.split(" ");
          if (words.length >= 3 && words[0].equals("progress")) {
            progress.accept(Integer.valueOf(words[1]), Integer.valueOf(words[2]));
          }
        }
      }
      status = waitFor(process);
      said = KitFiles.lines(errors.toPath());
      said.forEach(line -> console.print(line + '\n'));
      goOn(end);
    } finally {
      process.destroy();
    }
    KitFiles.delete(errors.toPath());
    if (status != 0) {
      throw new KitError(round.experiment + ", " + round.round + ": the round failed (status " + status + "): "
          + (said.isEmpty() ? "no message" : said.get(said.size() - 1).trim()));
    }
  }

  /** Withdraws what was to be done at the kit's end; if that has come, stays here: what is left is the next start's. */
  private static void goOn(Thread end) {
    try {
      Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException e) {
      try {
        Thread.currentThread().join();
      } catch (InterruptedException interrupted) {
        throw new KitError("interrupted");
      }
    }
  }

  private static int waitFor(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new KitError("interrupted");
    }
  }

  /** UTC, ISO 8601, to the millisecond. */
  private static String now() {
    return FORMAT.format(Instant.now());
  }
}
