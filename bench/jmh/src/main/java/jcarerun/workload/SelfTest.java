package jcarerun.workload;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Measures nothing: succeeds or fails on demand, to show that the harness notices. */
public class SelfTest extends Workload {
  /** How it ends: pass, throw, exit, hang; or wrong, when the check before the timing is to fail. */
  @Param("pass")
  public String outcome;

  private long state = 1;

  @Override
  protected String subject() {
    return "self-test";
  }

  @Override
  protected void prepare() {
    if (!"pass throw exit hang wrong".contains(outcome)) {
      throw new IllegalArgumentException("outcome must be pass, throw, exit, hang or wrong, is " + outcome);
    }
  }

  @Override
  protected void verify(Check check) {
    check.that("it was told to be", !outcome.equals("wrong"));
  }

  /** One step of a linear congruence, or a failure. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long run() {
    switch (outcome) {
      case "throw":
        throw new IllegalStateException("self-test was told to throw");
      case "exit":
        System.exit(3);
        break;
      case "hang":
        hang();
        break;
      default:
        break;
    }
    state = state * 6364136223846793005L + 1442695040888963407L;
    return state;
  }

  /** The worst kind: deaf to the interrupts by which JMH ends an iteration that takes too long. */
  private static void hang() {
    while (true) {
      try {
        Thread.sleep(1000);
      } catch (InterruptedException e) {
        // deaf on purpose
      }
    }
  }
}
