package jcarerun.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Which methods an operation is in, sampled while it is run again after a fork's last iteration: its hot call path.
 *
 * <p>A JVM stops a thread for a sample where its code can be stopped, so the innermost method is one that has such a
 * place; the callers, which matter here, are the true ones.
 */
public final class HotStacks {
  /** So many samples show every method that has a tenth of them. */
  private static final int SAMPLES = 60;
  /** Fewer prove nothing of what an iteration was in: on a machine that is busy elsewhere a sampler hardly runs. */
  private static final int LEAST_SAMPLES = 10;
  private static final long MOST_NS = 400_000_000L;

  /** What JMH calls the method that it makes around a benchmark's, and which it compiles it into. */
  private static final String STUB = "jmhStub";

  private final Sampler sampler;

  private HotStacks(Sampler sampler) {
    this.sampler = sampler;
    sampler.start();
  }

  /** An operation. */
  public interface Operation {
    /** Runs it once. */
    void run() throws ReflectiveOperationException;
  }

  /**
   * Runs an operation in this thread until it is sampled often enough, and writes the stacks: a line
   * {@code benchmark<tab>class::method}, then a line {@code count<tab>class::method;...} for each stack that was seen,
   * from the benchmark method inwards.
   *
   * <p>Where HotSpot made one piece of code of the whole operation, with no loop in it that can be stopped, every
   * sample falls behind its return, outside it. Code that is called, interpreted, or C1's would be stopped inside. Such
   * samples count as the benchmark method's own, if none is inside.
   *
   * @param benchmark the method that the operation runs, as {@code class::method}
   */
  public static void write(Path file, String benchmark, Operation operation)
      throws IOException, ReflectiveOperationException {
    Thread target = Thread.currentThread();
    Sampler sampler = new HotStacks(new Sampler(() -> target.getStackTrace(), benchmark)).sampler;
    long end = System.nanoTime() + MOST_NS;
    do {
      operation.run();
    } while (sampler.isAlive() && System.nanoTime() < end);
    Files.write(file, sampler.finish(), StandardCharsets.UTF_8);
  }

  /**
   * Begins to sample whatever JMH measures, from the method inwards that it made around the benchmark's. JMH makes
   * HotSpot inline the benchmark's own, which so has no code to be looked at.
   */
  static HotStacks ofStubs() {
    return new HotStacks(new Sampler(HotStacks::stackOfStub, null));
  }

  /** Ends the sampling and writes the stacks; nothing where these are too few, or a group has several methods. */
  void write(Path file) {
    List<String> lines = sampler.finish();
    try {
      if (sampler.seen.values().stream().mapToInt(Integer::intValue).sum() >= LEAST_SAMPLES) {
        Files.write(file, lines, StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new IllegalStateException("can't write " + file + ": " + e, e);
    }
  }

  /** Of any of the threads that measure: the methods of a group have one each. */
  private static StackTraceElement[] stackOfStub() {
    List<StackTraceElement[]> found = new ArrayList<>();
    for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
      if (stub(stack) != null) {
        found.add(stack);
      }
    }
    return found.isEmpty() ? new StackTraceElement[0]
        : found.get(ThreadLocalRandom.current().nextInt(found.size()));
  }

  private static String stub(StackTraceElement[] stack) {
    for (StackTraceElement each : stack) {
      if (each.getMethodName().endsWith(STUB)) {
        return each.getClassName() + "::" + each.getMethodName();
      }
    }
    return null;
  }

  /** Looks at a stack once a millisecond. */
  private static final class Sampler extends Thread {
    private final Supplier<StackTraceElement[]> stack;
    private final boolean ofStub;
    private String benchmark;
    private final Map<String, Integer> seen = new TreeMap<>();
    private int outside;
    private volatile boolean stopped;

    /** Of a benchmark's method, or, where that is null, of the first stub that is met. */
    Sampler(Supplier<StackTraceElement[]> stack, String benchmark) {
      super("hot-stacks");
      setDaemon(true);
      this.stack = stack;
      this.ofStub = benchmark == null;
      this.benchmark = benchmark;
    }

    @Override
    public void run() {
      for (int taken = 0; taken < SAMPLES && !stopped;) {
        try {
          Thread.sleep(1);
        } catch (InterruptedException e) {
          return;
        }
        StackTraceElement[] now = stack.get();
        String met = ofStub ? stub(now) : benchmark;
        benchmark = benchmark == null ? met : benchmark;
        if (met != null && !met.equals(benchmark)) {
          seen.clear();
          return;
        }
        String path = benchmark == null ? null : inside(now, benchmark);
        if (path != null) {
          seen.merge(path, 1, Integer::sum);
          taken++;
        } else {
          outside++;
        }
      }
    }

    List<String> finish() {
      stopped = true;
      try {
        join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (!ofStub && seen.isEmpty() && outside >= LEAST_SAMPLES) {
        seen.put(benchmark, outside);
      }
      List<String> lines = new ArrayList<>();
      lines.add("benchmark\t" + benchmark);
      seen.forEach((stack, count) -> lines.add(count + "\t" + stack));
      return lines;
    }
  }

  /** The part of a stack from the benchmark method inwards, or null where it isn't in it. */
  static String inside(StackTraceElement[] stack, String benchmark) {
    StringBuilder path = new StringBuilder();
    for (int i = stack.length - 1; i >= 0; i--) {
      String method = stack[i].getClassName() + "::" + stack[i].getMethodName();
      if (path.length() > 0 || method.equals(benchmark)) {
        path.append(path.length() == 0 ? "" : ";").append(method);
      }
    }
    return path.length() == 0 ? null : path.toString();
  }
}
