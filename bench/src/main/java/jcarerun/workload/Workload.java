package jcarerun.workload;

import java.io.IOException;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import java.security.Provider;
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
 * Base of every workload: prepares inputs, checks the operation, and only then lets it be timed.
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

  /** What is measured, for messages: an algorithm or a transformation. */
  protected abstract String subject();

  /** The benchmark's method; empty where JMH doesn't run it. */
  protected String operation = "";

  /** Makes keys and inputs from {@link #jca}. Inputs are the same in every fork. */
  protected abstract void prepare() throws GeneralSecurityException, IOException;

  /** Runs the timed operation and compares what it gives; throws IllegalStateException where it is wrong. */
  protected abstract void verify(Check check) throws GeneralSecurityException, IOException;

  /**
   * Whether the first call that is timed is to be that of a JVM which has run nothing of the operation yet. A round
   * says so of single shots that count from the first one on.
   */
  protected static boolean isCold() {
    return Boolean.getBoolean("jcarerun.cold");
  }

  /**
   * Whether {@link #verify} comes before the timing. Workloads that can be timed cold say no where that is wanted; what
   * a failed fork measured is never kept.
   */
  protected boolean checksBefore() {
    return true;
  }

  /** The check after the last iteration, where there was none before the first. */
  protected void verifyAfter(Check check) throws GeneralSecurityException, IOException {
    verify(check);
  }

  /**
   * Called after every iteration, outside every clock: adds observations, compares what the iteration gave. A workload
   * that must be timed in a JVM that has run nothing of it yet is checked here, after the first iteration, instead of
   * in {@link #verify}; what a failed fork measured is never kept.
   */
  protected void ended(Check check) throws GeneralSecurityException, IOException {}

  /** Removes what {@link #prepare} left outside the heap. Also called when prepare or verify failed. */
  protected void discard() throws IOException {}

  /**
   * Makes the input as small as it can be without another path being taken: called on a twin that warms the code up,
   * before it is prepared.
   *
   * @return whether it is smaller now; an operation without a size has no twin
   */
  protected boolean shrink() {
    return false;
  }

  /** Called before every iteration, outside the clock of the iteration log: for accounts that span an iteration. */
  protected void began() {}

  /**
   * Warms up by count, outside every clock. A workload whose operation is many requests counts those.
   *
   * @param calls how many
   * @param mostMs for how long at most
   */
  protected void warm(int calls, int mostMs)
      throws ReflectiveOperationException, GeneralSecurityException, IOException {
    new WarmUp(this).run(calls, mostMs);
  }

  /** Called after calls that warm up, outside every clock: forgets what they observed. */
  protected void warmed(Check check) throws GeneralSecurityException, IOException {}

  /**
   * Prepares, verifies and warms up, knowing which of its operations is to be timed.
   *
   * @throws IllegalStateException naming the algorithm, the provider and what is wrong; nothing is timed then
   */
  @Setup(Level.Trial)
  public final void setUp(BenchmarkParams benchmark) throws IOException {
    operation = benchmark.getBenchmark().substring(benchmark.getBenchmark().lastIndexOf('.') + 1);
    setUp();
    int calls = Integer.getInteger("jcarerun.warm-calls", 0);
    if (calls > 0) {
      try {
        warm(calls, Integer.getInteger("jcarerun.warm-ms", WarmUp.MOST_MS));
        warmed(new Check(subject(), provider));
      } catch (ReflectiveOperationException | GeneralSecurityException e) {
        throw new IllegalStateException(subject() + " of provider " + provider + " can't be warmed up: " + e, e);
      }
    }
  }

  /**
   * Prepares and verifies.
   *
   * @throws IllegalStateException naming the algorithm, the provider and what is wrong
   */
  public final void setUp() throws IOException {
    boolean verified = false;
    try {
      jca = Providers.get(provider);
      prepare();
      if (checksBefore()) {
        verify(new Check(subject(), provider));
      }
      verified = true;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(subject() + " of provider " + provider + " can't be run: " + e, e);
    } finally {
      if (!verified) {
        discard();
      }
    }
  }

  /** Samples the hot chain where a round asks for it, and cleans up after the last iteration. */
  @TearDown(Level.Trial)
  public final void sampleAndTearDown() throws IOException {
    String stacks = System.getProperty("jcarerun.stacks");
    try {
      if (stacks != null && SAMPLED.compareAndSet(false, true)) {
        WarmUp again = new WarmUp(this);
        HotStacks.write(Paths.get(stacks), again.method(), again::runOnce);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(subject() + " of provider " + provider + " can't be sampled: " + e, e);
    } finally {
      tearDown();
    }
  }

  /**
   * Verifies what was to be verified only now, and cleans up.
   *
   * @throws IllegalStateException naming the algorithm, the provider and what is wrong
   */
  public final void tearDown() throws IOException {
    try {
      if (!checksBefore()) {
        verifyAfter(new Check(subject(), provider));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(subject() + " of provider " + provider + " can't be checked: " + e, e);
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
  public final void stopClock() throws IOException {
    WorkerClock.stop();
    try {
      ended(new Check(subject(), provider));
      Observations.check(getClass());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(subject() + " of provider " + provider + " can't be checked: " + e, e);
    }
  }
}
