package jcarerun.workload;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import jcarerun.probe.CodeList;
import jcarerun.probe.IterationLog;
import jcarerun.probe.WorkerClock;
import org.openjdk.jmh.annotations.Param;

/**
 * Warms a workload up by count. HotSpot's second compiler takes a method for the number of its calls, some 5,000, not
 * for the time spent in it: a long operation reaches that number only after many seconds, and its times don't show it.
 * So a copy with a small input makes most of the calls. The workload itself makes some, so that code which only long
 * inputs need is not compiled away, and the last one, which must throw no compiled code away.
 *
 * <p>Objects that live as long as the JVM are brought to the old generation, see {@link
 * IterationLog#promoteSurvivors}.
 *
 * <p>No benchmark method may be inlined. Inlined into the warm-up's code its calls would no longer be counted, and
 * JMH's loop would begin with the first compiler's code.
 */
final class WarmUp {
  /** What the copy takes of a text, and of an RSA key: enough for every loop, little enough for thousands of calls. */
  static final int SMALL_BYTES = 1024;
  static final int SMALL_RSA_BITS = 1024;

  /** What the copy takes of an RSA key that it has to make: the JDK makes none that is shorter. */
  static final int SMALL_RSA_PAIR_BITS = 512;

  /** CPU time that it may take unless a fork says otherwise; by the clock it may take twice as long, if others work. */
  static final int MOST_MS = 3000;

  private static final int CLOCK_TIMES = 2;

  private static final int ASK_EVERY = 1000;

  /** Small calls after one that threw code away: HotSpot takes a method anew after as many as for the first time. */
  private static final int CALLS_AGAIN = 5000;

  /** How often it calls again where the JVM has none what it has compiled. */
  private static final int CHECKS_WITHOUT_LIST = 2;

  /** Part of the time that the workload's own calls may take. */
  private static final double OWN_PART = 0.125;

  private final Workload workload;
  private final Method operation;

  /** Of the operation that is to be timed. */
  WarmUp(Workload workload) throws ReflectiveOperationException {
    this.workload = workload;
    this.operation = workload.getClass().getMethod(workload.operation);
  }

  /** The benchmark method, as a compilation log calls it. */
  String method() {
    return operation.getDeclaringClass().getName() + "::" + operation.getName();
  }

  /** Runs the workload's operation once. */
  void runOnce() throws ReflectiveOperationException {
    operation.invoke(workload);
  }

  /**
   * Calls the operation so many times, and more until it is compiled, but not for longer than so much CPU time, or
   * twice that by the clock.
   *
   * @return how often it was called
   */
  int run(int calls, long mostMs) throws ReflectiveOperationException, GeneralSecurityException, IOException {
    Workload small = smallCopy();
    small.shrink();
    if (!hasSameParameters(small)) {
      try {
        if (isTaken(small)) {
          return run(small, calls, mostMs);
        }
      } finally {
        small.discard();
      }
    }
    return run(workload, calls, mostMs);
  }

  /** Whether the provider takes the small input, which is checked then: some make no short keys. */
  private boolean isTaken(Workload small) throws GeneralSecurityException, IOException {
    small.jca = workload.jca;
    try {
      small.prepare();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
    small.verify(new Check(small.subject(), workload.provider));
    return true;
  }

  private int run(Workload small, int calls, long mostMs) throws ReflectiveOperationException {
    Spent spent = new Spent(mostMs);
    int done = runSome(small, calls, OWN_PART, spent);
    IterationLog.promoteSurvivors();
    for (int checks = 0; small != workload && !spent.isAll(); checks++) {
      done += runSome(small, CALLS_AGAIN, 0, spent);
      CodeList before = CodeList.now();
      call(workload);
      done++;
      CodeList after = CodeList.now();
      if (after.isAvailable() ? after.keeps(before) : checks >= CHECKS_WITHOUT_LIST) {
        break;
      }
    }
    return done;
  }

  /**
   * So many calls, of which the workload's own may take a part of the time, and more until the operation is compiled:
   * compilers may be behind on a busy machine. All that as far as there is time.
   */
  private int runSome(Workload small, int calls, double ownPart, Spent spent) throws ReflectiveOperationException {
    long ownNs = 0;
    long start = spent.elapsed();
    int done = 0;
    while (!spent.isAll()) {
      if (done >= calls && (done - calls) % ASK_EVERY == 0 && CodeList.now().has(method())) {
        break;
      }
      long before = spent.elapsed();
      boolean itself = ownNs < (before - start) * ownPart;
      call(itself ? workload : small);
      ownNs += itself ? spent.elapsed() - before : 0;
      done++;
    }
    return done;
  }

  private void call(Workload called) throws ReflectiveOperationException {
    try {
      operation.invoke(called);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("warm-up failed: " + e.getCause(), e.getCause());
    }
  }

  /** A workload of the same class with the same parameters. */
  private Workload smallCopy() throws ReflectiveOperationException {
    Workload small = workload.getClass().getDeclaredConstructor().newInstance();
    for (Field parameter : parameters()) {
      parameter.set(small, parameter.get(workload));
    }
    small.operation = workload.operation;
    return small;
  }

  private boolean hasSameParameters(Workload other) throws ReflectiveOperationException {
    for (Field parameter : parameters()) {
      if (!Objects.equals(parameter.get(workload), parameter.get(other))) {
        return false;
      }
    }
    return true;
  }

  private List<Field> parameters() {
    return Arrays.stream(workload.getClass().getFields()).filter(field -> field.isAnnotationPresent(Param.class))
        .collect(Collectors.toList());
  }

  /** The time since it was made, by the clock and of the CPU. */
  private static final class Spent {
    private final long mostNs;
    private final long start = System.nanoTime();
    private final long cpuStart = WorkerClock.cpu();

    Spent(long mostMs) {
      mostNs = mostMs * 1_000_000;
    }

    long elapsed() {
      return System.nanoTime() - start;
    }

    boolean isAll() {
      long elapsed = elapsed();
      return elapsed >= CLOCK_TIMES * mostNs || elapsed > mostNs && WorkerClock.cpu() - cpuStart > mostNs;
    }
  }
}
