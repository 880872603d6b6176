package jcarerun.kit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import jcarerun.kit.Kit.PlannedRound;

/**
 * Measures every round of a kit that isn't there yet, and packs the results: {@code java -cp benchmarks.jar
 * jcarerun.kit.KitMain [--pack]} in the kit's directory. With {@code --pack} it only packs what is there.
 *
 * <p>May be ended at any time; started again it goes on, and only the round in work was lost. Exit status: 0 when all
 * is measured and packed, 1 when a round failed, 2 when something must be put right first; the reason is one line.
 */
public final class KitMain {
  private final Kit kit;
  private final Machine machine;

  private KitMain(Kit kit) throws IOException {
    this.kit = kit;
    this.machine = new Machine(kit.root, kit.capture);
  }

  /** The kit is in the working directory. */
  public static void main(String[] args) {
    boolean pack = args.length == 1 && args[0].equals("--pack");
    if (args.length > 0 && !pack) {
      System.err.println("error: can't understand " + String.join(" ", args) + "; the only argument is --pack");
      System.exit(2);
    }
    System.exit(status(Paths.get("").toAbsolutePath(), pack));
  }

  private static int status(Path root, boolean pack) {
    try {
      Kit kit = Kit.open(root);
      Path lock = root.resolve("kit.lock");
      try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = tryLock(channel)) {
        if (held == null) {
          throw new KitError("the kit is running already; wait for it or end it");
        }
        return new KitMain(kit).run(pack) ? 0 : 1;
      }
    } catch (KitError e) {
      System.err.println("error: " + e.getMessage());
    } catch (IOException e) {
      System.err.println("error: " + e + "; the kit's directory must be writable, with room on its disk");
    }
    return 2;
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private boolean run(boolean pack) throws IOException {
    KitFiles.sweep(kit.root);
    List<PlannedRound> done = new ArrayList<>();
    List<PlannedRound> missing = new ArrayList<>();
    for (PlannedRound round : kit.rounds) {
      (kit.has(round, machine.environment) ? done : missing).add(round);
    }
    if (!pack) {
      Progress progress = new Progress(missing);
      System.out.println("This machine: " + machine.environment + ", " + System.getProperty("os.name") + ", Java "
          + System.getProperty("java.runtime.version"));
      System.out.println(done.size() + " of " + kit.rounds.size() + " rounds are there, " + progress.expectation());
      for (PlannedRound round : missing) {
        checkJvm(done);
        try {
          new RoundRun(kit, machine, round).run(progress.start(round));
        } catch (KitError e) {
          System.err.println("error: " + e.getMessage());
          return false;
        }
        progress.finished();
        done.add(round);
      }
    }
    pack(done);
    return true;
  }

  /** Results of two JVMs in one directory couldn't be told apart. */
  private void checkJvm(List<PlannedRound> done) throws IOException {
    if (done.isEmpty()) {
      return;
    }
    Path folder = kit.root.resolve(done.get(0).result(machine.environment));
    List<String> was = Files.readAllLines(folder.resolve(RoundRun.MACHINE).resolve(RoundRun.HOST));
    if (!was.contains("java.runtime.version=" + System.getProperty("java.runtime.version"))) {
      throw new KitError("results/ holds rounds of another Java; measure with that one, or unpack the kit a second time"
          + " in another directory");
    }
  }

  private void pack(List<PlannedRound> done) throws IOException {
    if (done.isEmpty()) {
      throw new KitError("results/: there is nothing to pack yet; start the kit without --pack");
    }
    List<String> directories = new ArrayList<>();
    for (PlannedRound round : done) {
      directories.add(round.result(machine.environment).substring("results/".length()));
    }
    Path target = kit.root.resolve("jca-rerun-results-" + machine.environment + ".zip");
    KitFiles.pack(kit.root.resolve("results"), directories, target);
    System.out.println(done.size() + " of " + kit.rounds.size() + " rounds are packed. Send back: "
        + target.getFileName());
  }

  /** What the person who waits sees: which round, how much of it is done, how long it will still take. */
  static final class Progress {
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

    /** 95 as {@code 1:35 min}, 4000 as {@code 1:06 h}. */
    static String words(double seconds) {
      long whole = Math.round(seconds);
      return whole < 3600 ? String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60)
          : String.format(Locale.ROOT, "%d:%02d h", whole / 3600, whole % 3600 / 60);
    }
  }
}
