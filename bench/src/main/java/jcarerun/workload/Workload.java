package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.concurrent.TimeUnit;
import jcarerun.Providers;
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
  /** Provider id, see {@link Providers}. */
  @Param("default")
  public String provider;

  /** The provider itself; null means the JCA's search order. */
  protected Provider jca;

  /** What is measured, for messages: an algorithm or a transformation. */
  protected abstract String subject();

  /** Makes keys and inputs from {@link #jca}. Inputs are the same in every fork. */
  protected abstract void prepare() throws GeneralSecurityException, IOException;

  /** Runs the timed operation and compares what it gives; throws IllegalStateException where it is wrong. */
  protected abstract void verify(Check check) throws GeneralSecurityException, IOException;

  /**
   * Called after every iteration, outside every clock: adds observations, compares what the iteration gave. A workload
   * that must be timed in a JVM that has run nothing of it yet is checked here, after the first iteration, instead of
   * in {@link #verify}; what a failed fork measured is never kept.
   */
  protected void ended(Check check) throws GeneralSecurityException, IOException {}

  /** Removes what {@link #prepare} left outside the heap. Also called when prepare or verify failed. */
  protected void discard() throws IOException {}

  /**
   * Prepares and verifies.
   *
   * @throws IllegalStateException naming the algorithm, the provider and what is wrong; nothing is timed then
   */
  @Setup(Level.Trial)
  public final void setUp() throws IOException {
    boolean verified = false;
    try {
      jca = Providers.get(provider);
      prepare();
      verify(new Check(subject(), provider));
      verified = true;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(subject() + " of provider " + provider + " can't be run: " + e, e);
    } finally {
      if (!verified) {
        discard();
      }
    }
  }

  /** Cleans up after the last iteration. */
  @TearDown(Level.Trial)
  public final void tearDown() throws IOException {
    discard();
  }

  /** Starts the clock of the iteration log: what came before it, set-up above all, isn't the operation's. */
  @Setup(Level.Iteration)
  public final void startClock() {
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
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(subject() + " of provider " + provider + " can't be checked: " + e, e);
    }
  }
}
