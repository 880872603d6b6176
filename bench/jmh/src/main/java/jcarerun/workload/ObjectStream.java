package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Base of the workloads that take objects through a stream and back, one after the other of 100, step by step.
 *
 * <p>Nothing of it runs before it is timed, so that a fork's first operation is that of a cold JVM. Every iteration's
 * last object is compared with the one it was made from, in full.
 */
public abstract class ObjectStream extends Workload {
  static final int OBJECTS = 100;

  /** Operations in one call: 1, or 10 to have ten times the repetitions in as many iterations. */
  @Param("1")
  public int repetitions;

  /** What the objects are made of, see {@link ObjectGraph.Kind}: graph, text, numbers, rows, bytes. */
  @Param("graph")
  public ObjectGraph.Kind objects;

  private final Object[] inputs = new Object[OBJECTS];
  private int next;
  private Object last;
  private Object back;

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    if (repetitions < 1) {
      throw new IllegalArgumentException("repetitions must be 1 or more, is " + repetitions);
    }
    for (int i = 0; i < OBJECTS; i++) {
      inputs[i] = ObjectGraph.make(objects, i);
    }
  }

  /** Every iteration is checked when it ends: nothing may run before the first. */
  @Override
  protected void verify(Check check) {}

  /** Secures an object, reads it back and returns what was read; times its steps. */
  protected abstract Object operation(Object object) throws GeneralSecurityException, IOException;

  /** Adds what the iteration observed, and checks what is left of its last operation. */
  protected abstract void ended(Check check, Object lastObject) throws GeneralSecurityException, IOException;

  /** The next objects, each to its stream and back. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public Object roundTrip() throws GeneralSecurityException, IOException {
    for (int i = 0; i < repetitions; i++) {
      last = inputs[next];
      next = (next + 1) % OBJECTS;
      back = operation(last);
    }
    return back;
  }

  @Override
  protected final void ended(Check check) throws GeneralSecurityException, IOException {
    check.that("the object that was read back is the one that was written, or none", back != null && back != last);
    check.that("the object that was read back differs from the one that was written", ObjectGraph.same(last, back));
    ended(check, last);
  }
}
