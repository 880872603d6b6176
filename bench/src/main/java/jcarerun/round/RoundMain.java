package jcarerun.round;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs a round: every fork of forks.tsv, in its order, in the working directory.
 *
 * <p>A fork whose provider doesn't offer the algorithm here, or gives another result than the others, isn't run, see
 * {@link Offers}.
 *
 * <p>In: {@code forks.tsv}, a line for each fork: its number (1, 2, ...), then one argument for JMH per column. Out:
 * {@code iterations.csv}, {@code commands.txt}, {@code limits.txt}, {@code jmh/}, {@code gc/}, {@code jvm/}, described
 * in data/README.md; on stdout a line {@code progress <done> <all> <fork>} before the first fork (as fork 0) and after
 * each.
 *
 * <p>Exit status: 0 when every fork left what it had to; 1 when one failed, and none was run after it; 2 when the
 * arguments or forks.tsv are wrong, and none was run at all. A failure is one line on stderr.
 */
public final class RoundMain {
  private static final String USAGE =
      "usage: java -cp benchmarks.jar jcarerun.round.RoundMain [--fork-timeout SECONDS]";

  /** How long a forked JVM may outlive its own deadline before the round gives up on it. */
  private static final int GRACE_SECONDS = 20;

  private final List<ForkPlan> forks;
  private final int timeoutSeconds;

  private RoundMain(List<ForkPlan> forks, int timeoutSeconds) {
    this.forks = forks;
    this.timeoutSeconds = timeoutSeconds;
  }

  /**
   * Runs the round.
   *
   * @param args {@code --fork-timeout SECONDS} bounds each fork
   */
  public static void main(String[] args) {
    // Both are read by the JVM that starts the forks. The lock would need a place that all containers share; and the
    // kind of blackhole must not depend on the JDK, or two JDKs couldn't be compared.
    System.setProperty("jmh.ignoreLock", "true");
    System.setProperty("jmh.blackhole.autoDetect", "false");
    RoundMain round;
    try {
      round = read(args);
    } catch (IllegalArgumentException | IOException e) {
      System.err.println(e instanceof IOException ? "can't read forks.tsv: " + e : e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(round.run() ? 0 : 1);
  }

  private static RoundMain read(String[] args) throws IOException {
    int timeoutSeconds = 0;
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--fork-timeout") && i + 1 < args.length && args[i + 1].matches("[1-9][0-9]{0,5}")) {
        timeoutSeconds = Integer.parseInt(args[++i]);
      } else {
        throw new IllegalArgumentException("can't understand " + args[i] + "; " + USAGE);
      }
    }
    if (Files.exists(ForkRun.ITERATIONS)) {
      throw new IllegalArgumentException("iterations.csv is there already: a round must start in a fresh directory");
    }
    List<String> lines = Files.readAllLines(Paths.get("forks.tsv"), StandardCharsets.UTF_8);
    return new RoundMain(ForkPlan.read(lines), timeoutSeconds);
  }

  private boolean run() {
    int done = 0;
    try {
      List<ForkRun> runs = forks.stream().map(fork -> new ForkRun(fork, timeoutSeconds)).collect(Collectors.toList());
      for (String directory : new String[] {"jmh", "gc", "jvm"}) {
        Files.createDirectories(Paths.get(directory));
      }
      writeLines("iterations.csv", Collections.singletonList(IterationLog.HEADER));
      writeCommands(runs);
      writeLines("limits.txt", Limits.ofThisProcess().lines());
      JvmRecord.write(forks);
      Offers offers = Offers.ask(forks);
      progress(0, 0);
      for (; done < runs.size(); done++) {
        if (offers.canRun(forks.get(done))) {
          runWithin(runs.get(done), done);
        }
        progress(done + 1, forks.get(done).number);
      }
      return true;
    } catch (IOException | RuntimeException e) {
      System.err.println(failure(done, e instanceof ForkFailure ? e.getMessage() : e.toString()));
      return false;
    }
  }

  /** The second bound is for a forked JVM that is too far gone to halt itself; it ends this JVM on the spot. */
  private void runWithin(ForkRun run, int index) throws IOException {
    if (timeoutSeconds == 0) {
      run.run();
      return;
    }
    Thread deadline = Deadline.after(timeoutSeconds + GRACE_SECONDS, () -> {
      System.err.println(failure(index, "its JVM doesn't end (--fork-timeout)"));
      Runtime.getRuntime().halt(1);
    });
    try {
      run.run();
    } finally {
      deadline.interrupt();
    }
  }

  private String failure(int index, String what) {
    ForkPlan fork = forks.get(index);
    return "fork " + fork.number + " (" + fork.name + "): " + what.replaceAll("\\s*[\\r\\n]+\\s*", " ")
        + "; see jmh/" + fork.id() + ".txt";
  }

  private void progress(int done, int fork) {
    System.out.println("progress " + done + ' ' + forks.size() + ' ' + fork);
    System.out.flush();
  }

  private void writeCommands(List<ForkRun> runs) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      lines.add(forks.get(i).id() + ": java -Djmh.ignoreLock=true -Djmh.blackhole.autoDetect=false -jar benchmarks.jar "
          + runs.get(i).args().stream().map(RoundMain::quoted).collect(Collectors.joining(" ")));
    }
    writeLines("commands.txt", lines);
  }

  /** Line ends are the same on every system, since the files are hashed and compared. */
  private static void writeLines(String file, List<String> lines) throws IOException {
    Path path = Paths.get(file);
    Files.write(path, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** An argument as a POSIX shell takes it. */
  private static String quoted(String arg) {
    return arg.matches("[A-Za-z0-9_@%+=:,./-]+") ? arg : "'" + arg.replace("'", "'\\''") + "'";
  }
}
