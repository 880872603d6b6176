package jcarerun.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/**
 * Appends a row for every iteration of a fork, warm-up too, to a CSV file: {@code -prof jcarerun.probe.IterationLog}.
 *
 * <p>The forked JVM's system properties say where: {@code jcarerun.iterations} is the file, {@code jcarerun.fork} the
 * number in its first column. The columns are {@link #HEADER}; data/README.md says what they mean. Adds nothing to
 * JMH's own result.
 *
 * <p>Benchmarks of a jar that isn't ours ({@code jcarerun.outside}) mark no iterations in their workers: their rows
 * have no CPU time, and start and end are those that JMH announces, with a fork's set-up and tear-down between them.
 * Durations are JMH's own. Where {@code jcarerun.stacks} is set such a fork runs one iteration more, which has no row:
 * the hot call path is sampled in it.
 */
public final class IterationLog implements InternalProfiler {
  /** Names of the columns. Whoever makes the file writes them, since every fork appends to it. */
  public static final String HEADER = "fork,iteration,start_epoch_ms,start_uptime_ms,end_uptime_ms,duration_ns,"
      + "operations,all_operations,worker_cpu_ns,process_user_ns,process_system_ns,involuntary_switches,gc_ms,jit_ms";

  /** Whether a fork of an external benchmark, which isn't warmed up by count, promotes before its second iteration. */
  private static final boolean PROMOTES = Boolean.getBoolean("jcarerun.tenured");
  /** Bytes that an operation allocates, by the name and the definition of JMH's gc profiler, counted in the workers. */
  static final String ALLOCATION = "gc.alloc.rate.norm";

  private static final boolean EXTERNAL = Boolean.getBoolean("jcarerun.outside");

  /** Rows wait in memory for so long at most: a file opened after each call would take longer than a short call. */
  private static final long WRITE_EVERY_NS = 1_000_000_000;

  private final String file = System.getProperty("jcarerun.iterations");
  private final String fork = System.getProperty("jcarerun.fork");
  private final String stacks = System.getProperty("jcarerun.stacks");
  private int iteration;
  private WorkerClock.Window around;
  private HotStacks sampled;
  private final StringBuilder rows = new StringBuilder();
  private final StringBuilder observed = new StringBuilder();
  private long written = System.nanoTime();

  /** Called by JMH: in each fork, and once in the JVM that starts them, which has no properties. */
  public IterationLog() {
    Deadline.arm();
  }

  /**
   * Brings what lives as long as the JVM to the old generation.
   *
   * <p>Young collections copy an object up to fifteen times before it counts as old (MaxTenuringThreshold). Until then
   * each of them copies all that JVM and JMH hold, some 3 MB, in 3 ms instead of 0.4. An operation that allocates is 4
   * to 8 % slower for its first 16 collections. A fork of a second ends before that, a fork of a minute doesn't.
   */
  public static void promoteSurvivors() {
    System.gc();
  }

  @Override
  public String getDescription() {
    return "Appends a row for every iteration to a CSV file";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams params) {
    // Not in the constructor: there JMH would drop the profiler without a word.
    if (file == null || fork == null) {
      throw new IllegalStateException("IterationLog needs -jvmArgsAppend -Djcarerun.iterations=<file> and "
          + "-jvmArgsAppend -Djcarerun.fork=<number>");
    }
    if (PROMOTES && iteration == 1) { // its set-up is part of the first
      promoteSurvivors();
    }
    WorkerClock.take();
    // Sets the clock, if this is the first time, which takes some milliseconds that aren't the iteration's.
    UptimeClock.millis();
    if (EXTERNAL) {
      sampled = stacks != null && iteration + 1 == params.getCount() ? HotStacks.ofStubs() : null;
      around = WorkerClock.around();
    }
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams params, IterationResult result) {
    WorkerClock.Window window = WorkerClock.take();
    if (EXTERNAL) {
      window = around;
      window.end();
    }
    iteration++;
    if (sampled != null) {
      sampled.write(Paths.get(stacks));
      writeRows();
      return Collections.emptyList();
    }
    // After a failure there is no result, and JMH is about to say why.
    if (!result.getRawPrimaryResults().isEmpty()) {
      if (window == null) {
        throw new IllegalStateException(benchmark.getBenchmark() + " must call WorkerClock, as Workload does");
      }
      addRow(benchmark, result, window);
      if (window.allocatedBytes != null) {
        Observations.add(ALLOCATION, (double) window.allocatedBytes / result.getMetadata().getAllOps());
      }
      addObservations();
    }
    boolean last = iteration == benchmark.getWarmup().getCount() + benchmark.getMeasurement().getCount();
    if (last || result.getRawPrimaryResults().isEmpty() || System.nanoTime() - written > WRITE_EVERY_NS) {
      writeRows();
    }
    return Collections.emptyList();
  }

  private void addRow(BenchmarkParams benchmark, IterationResult result, WorkerClock.Window window) {
    long operations = result.getMetadata().getMeasuredOps();
    long[] start = window.processCpuAtStart;
    long[] end = window.processCpuAtEnd;
    rows.append(fork).append(',').append(iteration).append(',').append(window.startEpochMs);
    Observations.append(rows.append(','), window.startUptimeMs);
    Observations.append(rows.append(','), window.endUptimeMs);
    rows.append(',').append(durationNs(benchmark, result, operations))
        .append(',').append(operations).append(',').append(result.getMetadata().getAllOps())
        .append(',').append(window.workerCpuNs() == null ? "" : window.workerCpuNs())
        .append(',').append(start == null ? "," : (end[0] - start[0]) + "," + (end[1] - start[1]))
        .append(',').append(window.involuntarySwitches == null ? "" : window.involuntarySwitches)
        .append(',').append(window.gcMsAtStart == null ? "" : window.gcMsAtEnd - window.gcMsAtStart)
        .append(',').append(window.jitMsAtStart == null ? "" : window.jitMsAtEnd - window.jitMsAtStart).append('\n');
  }

  /** The measured time, summed over the workers, which JMH only gives as time per operation. */
  private static long durationNs(BenchmarkParams benchmark, IterationResult result, long operations) {
    double score = result.getPrimaryResult().getScore();
    long unitNs = TimeUnit.NANOSECONDS.convert(1, benchmark.getTimeUnit());
    switch (benchmark.getMode()) {
      case AverageTime:
      case SingleShotTime:
        return Math.round(score * operations * unitNs);
      default:
        throw new IllegalStateException("IterationLog knows the modes avgt and ss, not "
            + benchmark.getMode().shortLabel());
    }
  }

  private void addObservations() {
    for (String each : Observations.take()) {
      observed.append(fork).append(',').append(iteration).append(',').append(each).append('\n');
    }
  }

  /** The file of observations comes into being with the first one: most experiments have none. */
  private void writeRows() {
    append(Paths.get(file), rows.toString());
    String target = System.getProperty("jcarerun.observations");
    if (target != null && observed.length() > 0) {
      Path path = Paths.get(target);
      append(path, (Files.exists(path) ? "" : Observations.HEADER + '\n') + observed);
    }
    rows.setLength(0);
    observed.setLength(0);
    written = System.nanoTime();
  }

  private static void append(Path path, String rows) {
    try {
      Files.write(path, rows.getBytes(StandardCharsets.US_ASCII), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new IllegalStateException("can't append to " + path + ": " + e, e);
    }
  }
}
