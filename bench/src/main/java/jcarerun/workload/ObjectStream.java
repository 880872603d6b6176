package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Base of the workloads that take object graphs through a stream and back, one after the other of 100, step by step.
 *
 * <p>Nothing of it runs before it is timed, so that a fork's first operation is that of a cold JVM. Every iteration's
 * last graph is compared with the one it was made from, in full.
 */
public abstract class ObjectStream extends Workload {
  static final int GRAPHS = 100;

  /** Operations in one call: 1, or 10 to have ten times the repetitions in as many iterations. */
  @Param("1")
  public int repetitions;

  private final Node[] graphs = new Node[GRAPHS];
  private int next;
  private Node last;
  private Node back;

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    if (repetitions < 1) {
      throw new IllegalArgumentException("repetitions must be 1 or more, is " + repetitions);
    }
    for (int i = 0; i < GRAPHS; i++) {
      graphs[i] = ObjectGraph.make(i);
    }
  }

  @Override
  protected void verify(Check check) {}

  /** Secures a graph, reads it back and returns what was read; times its steps. */
  protected abstract Node operation(Node graph) throws GeneralSecurityException, IOException;

  /** Adds what the iteration observed, and checks what is left of its last operation. */
  protected abstract void ended(Check check, Node lastGraph) throws GeneralSecurityException, IOException;

  /** The next graphs, each to its stream and back. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public Object roundTrip() throws GeneralSecurityException, IOException {
    for (int i = 0; i < repetitions; i++) {
      last = graphs[next];
      next = (next + 1) % GRAPHS;
      back = operation(last);
    }
    return back;
  }

  @Override
  protected final void ended(Check check) throws GeneralSecurityException, IOException {
    check.that("the graph that was read back is the one that was written, or none", back != null && back != last);
    check.that("the graph that was read back differs from the one that was written", ObjectGraph.same(last, back));
    ended(check, last);
  }
}
