package jcarerun.workload;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import jcarerun.Providers;
import jcarerun.probe.HotStacks;
import jcarerun.probe.Observations;
import jcarerun.probe.WorkerClock;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Base of every workload: prepares inputs, and checks the operation before the timing and after it. Helpers warm the
 * operation up, sample its stacks and keep its clock. A subclass must prepare and verify; the rest is optional.
 *
 * <p>The first timed call of a cold fork must be the JVM's first call: such a fork is checked after the timing alone.
 * Times of a fork that fails a check are never kept.
 *
 * <p>The annotations make a plain {@code java -jar benchmarks.jar} sensible; a round gives its own settings.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class Workload {
  /** One thread of a fork is sampled. */
  private static final AtomicBoolean SAMPLED = new AtomicBoolean();

  /** Provider id, see {@link Providers}. */
  @Param("default")
  public String provider;

  /** The provider itself; null means the JCA's search order. */
  protected Provider jca;

  /** The benchmark's method; empty where JMH doesn't run it. */
  protected String operation = "";

  private final Deque<Closeable> resources = new ArrayDeque<>();
  private boolean ready;

  /** A part of a fork's life that may fail. */
  private interface Stage {
    void run() throws GeneralSecurityException, IOException, ReflectiveOperationException;
  }

  /** What is measured, for messages: an algorithm or a transformation. */
  protected abstract String subject();

  /** Makes keys and inputs from {@link #jca}. Inputs are the same in every fork. */
  protected abstract void prepare() throws GeneralSecurityException, IOException;

  /** Runs the timed operation and compares what it gives. Called before the timing, and again after it. */
  protected abstract void verify(Check check) throws GeneralSecurityException, IOException;

  /**
   * Checks the operation after the last iteration, on inputs that nobody could know before. It finds a provider that is
   * right for known inputs alone. Operations that draw their inputs need no more than {@link #verify}.
   */
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException, IOException {}

  /** Whether {@link #verify} also comes before the timing. */
  protected boolean checksBefore() {
    return !isCold();
  }

  /** Called before every iteration, outside the clock of the iteration log: for accounts that span an iteration. */
  protected void began() {}

  /** Called after every iteration, outside every clock: adds observations, compares what the iteration gave. */
  protected void ended(Check check) throws GeneralSecurityException, IOException {}

  /** Makes a parameter as small as it can be without another code path: of a copy that warms the code up. */
  protected void shrink() {}

  /** Calls the operation so many times, for so long at most. A workload of many requests counts those. */
  protected void warm(int calls, int mostMs)
      throws ReflectiveOperationException, GeneralSecurityException, IOException {
    new WarmUp(this).run(calls, mostMs);
  }

  /** Called after calls that warm up, outside every clock: forgets what they observed. */
  protected void warmed() throws GeneralSecurityException, IOException {}

  /** Whether the first call that is timed is to be cold: of single shots that count from the first one on. */
  protected static boolean isCold() {
    return Boolean.getBoolean("jcarerun.cold");
  }

  /** Has something closed when all is over, also where preparing or verifying fails; what came last is closed first. */
  protected final <T extends Closeable> T closing(T resource) {
    resources.push(resource);
    return resource;
  }

  /** Closes all that {@link #prepare} left outside the heap. */
  final void discard() throws IOException {
    Closeable last = resources.poll();
    if (last != null) {
      try {
        last.close();
      } finally {
        discard();
      }
    }
  }

  private Check check() {
    return new Check(subject(), provider);
  }

  /** Runs a stage; what it throws gets the algorithm's and the provider's names. */
  private void run(String what, Stage stage) {
    try {
      stage.run();
    } catch (GeneralSecurityException | IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(subject() + " of provider " + provider + " can't be " + what + ": " + e, e);
    }
  }

  /** Prepares, verifies and warms up, knowing which of its operations is to be timed. */
  @Setup(Level.Trial)
  public final void setUp(BenchmarkParams benchmark) throws IOException {
    operation = benchmark.getBenchmark().substring(benchmark.getBenchmark().lastIndexOf('.') + 1);
    setUp();
    int calls = Integer.getInteger("jcarerun.warm-calls", 0);
    if (calls > 0) {
      run("warmed up", () -> {
        warm(calls, Integer.getInteger("jcarerun.warm-ms", WarmUp.MOST_MS));
        warmed();
      });
    }
  }

  /**
   * Prepares and verifies.
   *
   * @throws IllegalStateException naming the algorithm, the provider and what is wrong; nothing is timed then
   */
  public final void setUp() throws IOException {
    ready = false;
    try {
      run("run", () -> {
        jca = Providers.get(provider);
        prepare();
        if (checksBefore()) {
          verify(check());
        }
      });
      ready = true;
    } finally {
      if (!ready) {
        discard();
      }
    }
  }

  /** Samples the stacks of the operation where a round asks for it, verifies and cleans up. */
  @TearDown(Level.Trial)
  public final void sampleAndTearDown() throws IOException {
    String stacks = System.getProperty("jcarerun.stacks");
    try {
      if (stacks != null && SAMPLED.compareAndSet(false, true)) {
        run("sampled", () -> {
          WarmUp again = new WarmUp(this);
          HotStacks.write(Paths.get(stacks), again.method(), again::runOnce);
        });
      }
    } finally {
      tearDown();
    }
  }

  /**
   * Verifies once more, on the inputs that were timed and on fresh ones, and cleans up.
   *
   * @throws IllegalStateException naming the algorithm, the provider and what is wrong
   */
  public final void tearDown() throws IOException {
    try {
      if (ready) {
        run("checked", () -> {
          verify(check());
          verifyFresh(check(), new SecureRandom());
        });
      }
    } finally {
      discard();
    }
  }

  /** Starts the clock of the iteration log: what came before it, set-up above all, isn't the operation's. */
  @Setup(Level.Iteration)
  public final void startClock() {
    began();
    WorkerClock.start();
  }

  /**
   * Stops the clock of the iteration log, before the fork's own tear-down.
   *
   * @throws IllegalStateException naming the algorithm, the provider and what the iteration got wrong
   */
  @TearDown(Level.Iteration)
  public final void stopClock() {
    WorkerClock.stop();
    run("checked", () -> ended(check()));
    Observations.check(getClass());
  }
}
