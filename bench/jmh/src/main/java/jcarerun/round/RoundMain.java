package jcarerun.round;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import jcarerun.probe.Deadline;
import jcarerun.probe.IterationLog;

/**
 * Runs a round: every fork of forks.tsv, in its order, in the working directory; then once more those that broke a
 * gate. What a fork has left is kept from later forks, see {@link RoundFiles} and {@link Leftovers}.
 *
 * <p>A fork whose provider doesn't offer the algorithm here, or gives another result than the others, isn't run, see
 * {@link CapabilityProbe}.
 *
 * <p>In: {@code forks.tsv}, a line for each fork: its number (1, 2, ...), then one argument for JMH per column;
 * {@code gates.tsv}, see {@link Gates}. Out: {@code iterations.csv}, {@code interference.csv}, {@code commands.txt},
 * {@code limits.txt}, {@code jmh/}, {@code gc/}, {@code jit/}, {@code jvm/}, described in data/README.md; on stdout a
 * line {@code progress <done> <all> <fork>} before the first fork (as fork 0) and after each, and a line
 * {@code fork <number> broke <gates>: ...} for each fork that was disturbed.
 *
 * <p>Exit status: 0 when every fork left what it had to; 1 when one failed, and none was run after it; 2 when the
 * arguments, forks.tsv or gates.tsv are wrong, and none was run at all. A failure is one line on stderr.
 */
public final class RoundMain {
  private static final String USAGE =
      "usage: java -cp benchmarks.jar jcarerun.round.RoundMain [--with-stdin] [--fork-timeout SECONDS]";

  /** How long a forked JVM may outlive its own deadline before the round gives up on it. */
  private static final int GRACE_SECONDS = 20;

  private final List<ForkPlan> forks;
  private final Gates gates;
  private final int timeoutSeconds;
  private final List<Interference> done = new ArrayList<>();

  /** Forks that are behind us, those too that could not run. */
  private int finished;

  /** The fork that runs, or is about to, for messages. */
  private ForkPlan current;

  private RoundMain(List<ForkPlan> forks, Gates gates, int timeoutSeconds) {
    this.forks = forks;
    this.gates = gates;
    this.timeoutSeconds = timeoutSeconds;
    this.current = forks.get(0);
  }

  /**
   * Runs the round.
   *
   * @param args {@code --fork-timeout SECONDS} bounds each fork; {@code --with-stdin} ends the round on the spot where
   *     standard input does, as it does when whoever started the round is gone, however they went
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
      System.err.println(e instanceof IOException ? "can't read forks.tsv and gates.tsv: " + e : e.getMessage());
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
      } else if (args[i].equals("--with-stdin")) {
        endWithStdin();
      } else {
        throw new IllegalArgumentException("can't understand " + args[i] + "; " + USAGE);
      }
    }
    if (Files.exists(Fork.ITERATIONS)) {
      throw new IllegalArgumentException("iterations.csv is there already: a round must start in a fresh directory");
    }
    List<ForkPlan> forks = ForkPlan.read(Files.readAllLines(Paths.get("forks.tsv"), StandardCharsets.UTF_8));
    Gates gates = Gates.read(Files.readAllLines(Paths.get(Gates.FILE), StandardCharsets.UTF_8));
    return new RoundMain(forks, gates, timeoutSeconds);
  }

  private static void endWithStdin() {
    Thread end = new Thread(() -> {
      try {
        while (System.in.read() >= 0) {
          // Nobody has anything to say.
        }
      } catch (IOException e) {
        // As good as its end.
      }
      Runtime.getRuntime().halt(1);
    }, "stdin");
    end.setDaemon(true);
    end.start();
  }

  private boolean run() {
    RoundFiles files = null;
    try {
      files = new RoundFiles();
      runAll(files);
      return true;
    } catch (IOException | RuntimeException e) {
      saveRows(files);
      System.err.println(failure(current, e instanceof ForkFailure ? e.getMessage() : e.toString()));
      return false;
    }
  }

  /** What there was of a round that failed is looked at. */
  private static void saveRows(RoundFiles files) {
    try {
      if (files != null) {
        files.writeRows();
      }
    } catch (IOException e) {
      System.err.println("can't write the rows of the forks that have ended: " + e);
    }
  }

  private void runAll(RoundFiles files) throws IOException {
    files.write(Fork.ITERATIONS.toString(), Collections.singletonList(IterationLog.HEADER));
    files.write("commands.txt", commands(forks));
    files.write("limits.txt", new ControlGroup(Paths.get("/")).limits());
    JvmRecord.write(forks);
    CapabilityProbe capabilities = CapabilityProbe.ask(forks, files);
    Leftovers.end();
    files.seal("");
    ForkMeter meter = new ForkMeter();
    progress(forks.size(), 0);
    for (ForkPlan fork : forks) {
      if (capabilities.canRun(fork)) {
        runOne(fork, meter, files);
      }
      finished++;
      progress(forks.size(), fork.number);
    }
    // Only now is it known how fast the machine can be.
    done.forEach(fork -> judge(fork, meter.bestSpinNs()));
    List<ForkPlan> again = gates.reruns(done, forks.size());
    List<ForkPlan> every = new ArrayList<>(forks);
    every.addAll(again);
    files.write("commands.txt", commands(every));
    done.forEach(RoundMain::report);
    long reference = meter.bestSpinNs();
    for (ForkPlan fork : again) {
      runOne(fork, meter, files);
      finished++;
      progress(every.size(), fork.number);
    }
    for (Interference fork : done.subList(done.size() - again.size(), done.size())) {
      judge(fork, reference);
      report(fork);
    }
    List<String> rows = new ArrayList<>(Collections.singletonList(Interference.HEADER));
    done.forEach(fork -> rows.add(fork.row()));
    files.write("interference.csv", rows);
    files.writeRows();
    files.verify();
  }

  private void runOne(ForkPlan fork, ForkMeter meter, RoundFiles files) throws IOException {
    current = fork;
    Fork run = Fork.of(fork, timeoutSeconds);
    done.add(meter.around(fork, () -> runWithin(run, fork, files)));
    files.seal(fork.id());
  }

  private void judge(Interference fork, long spinReferenceNs) {
    fork.spinReferenceNs = spinReferenceNs;
    fork.broken.addAll(gates.broken(fork));
  }

  private static void report(Interference fork) {
    if (!fork.broken.isEmpty()) {
      System.out.println("fork " + fork.plan.number + " broke " + String.join(", ", fork.broken) + ": "
          + (fork.rerunAs == null ? "not run again" : "is run again as fork " + fork.rerunAs));
    }
  }

  /** The second bound is for a forked JVM that is too far gone to halt itself; it ends this JVM on the spot. */
  private Interference.Window runWithin(Fork run, ForkPlan fork, RoundFiles files) throws IOException {
    Thread deadline = timeoutSeconds == 0 ? null : Deadline.after(timeoutSeconds + GRACE_SECONDS, () -> {
      System.err.println(failure(fork, "its JVM doesn't end (--fork-timeout)"));
      Runtime.getRuntime().halt(1);
    });
    try {
      Interference.Window window = run.run(files);
      Leftovers.end();
      return window;
    } finally {
      if (deadline != null) {
        deadline.interrupt();
      }
    }
  }

  private static String failure(ForkPlan fork, String what) {
    return "fork " + fork.number + " (" + fork.name + "): " + what.replaceAll("\\s*[\\r\\n]+\\s*", " ")
        + "; see jmh/" + fork.id() + ".txt";
  }

  private void progress(int all, int fork) {
    System.out.println("progress " + finished + ' ' + all + ' ' + fork);
    System.out.flush();
  }

  private List<String> commands(List<ForkPlan> some) {
    return some.stream().map(fork -> "mkdir -p jmh gc jit && " + Fork.of(fork, timeoutSeconds).command().stream()
        .map(RoundMain::quoted).collect(Collectors.joining(" ")) + " # fork " + fork.id())
        .collect(Collectors.toList());
  }

  /** An argument as a POSIX shell takes it. */
  private static String quoted(String arg) {
    return arg.matches("[A-Za-z0-9_@%+=:,./-]+") ? arg : "'" + arg.replace("'", "'\\''") + "'";
  }
}
