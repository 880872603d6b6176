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
 * Warms a workload up by count: HotSpot's second compiler takes a method for the number of its calls, some 5,000, not
 * for the time spent in it. A long operation is called that often only after many seconds, and is slow until then
 * without a sign of it in its times. So a twin with a small input goes through the same methods many times first, and
 * the workload itself now and then, so that nothing that only long inputs need is compiled away. It ends with a call of
 * the workload's own that throws no compiled code away.
 *
 * <p>What lives as long as the JVM is brought to the old generation meanwhile, see {@link
 * IterationLog#promoteSurvivors}.
 *
 * <p>Every benchmark method is kept from being inlined, as JMH would do by force: within the code of what warms it up
 * its calls would be counted no more, and JMH's loop would begin with what the first compiler made of it.
 */
final class WarmUp {
  /** What a twin takes of a text, and of an RSA key: enough for every loop, little enough for thousands of calls. */
  static final int SMALL_BYTES = 1024;
  static final int SMALL_RSA_BITS = 1024;

  /** What a twin takes of an RSA key that it has to make: the JDK makes none that is shorter. */
  static final int SMALL_RSA_PAIR_BITS = 512;

  /** CPU time that it may take unless a fork says otherwise; by the clock it may take twice as long, if others work. */
  static final int MOST_MS = 3000;

  private static final int CLOCK_TIMES = 2;

  private static final int ASK_EVERY = 1000;

  /** Small calls after one that threw code away: HotSpot takes a method anew after as many as for the first time. */
  private static final int CALLS_AGAIN = 5000;

  /** How often it calls again where the JVM doesn't tell what it has compiled. */
  private static final int LOOKS_UNTOLD = 2;

  /** Part of the time that the workload's own calls may take. */
  private static final double OWN_PART = 0.125;

  private final Workload own;
  private final Method operation;

  /** Of the operation that is to be timed. */
  WarmUp(Workload own) throws ReflectiveOperationException {
    this.own = own;
    this.operation = own.getClass().getMethod(own.operation);
  }

  /** The benchmark method, as a compilation log calls it. */
  String method() {
    return operation.getDeclaringClass().getName() + "::" + operation.getName();
  }

  /** Runs the workload's operation once. */
  void runOnce() throws ReflectiveOperationException {
    operation.invoke(own);
  }

  /**
   * Calls the operation so many times, and more until it is compiled, but not for longer than so much CPU time, or
   * twice that by the clock.
   *
   * @return how often it was called
   */
  int run(int calls, long mostMs) throws ReflectiveOperationException, GeneralSecurityException, IOException {
    Workload twin = twin();
    twin.shrink();
    if (!hasSameParameters(twin)) {
      try {
        if (isTaken(twin)) {
          return run(twin, calls, mostMs);
        }
      } finally {
        twin.discard();
      }
    }
    return run(own, calls, mostMs);
  }

  /** Whether the provider takes the small input, which is checked then: some make no short keys. */
  private boolean isTaken(Workload twin) throws GeneralSecurityException, IOException {
    twin.jca = own.jca;
    try {
      twin.prepare();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
    twin.verify(new Check(twin.subject(), own.provider));
    return true;
  }

  private int run(Workload twin, int calls, long mostMs) throws ReflectiveOperationException {
    Spent spent = new Spent(mostMs);
    int done = runSome(twin, calls, OWN_PART, spent);
    IterationLog.promoteSurvivors();
    for (int looks = 0; twin != own && !spent.isAll(); looks++) {
      done += runSome(twin, CALLS_AGAIN, 0, spent);
      CodeList before = CodeList.now();
      call(own);
      done++;
      CodeList after = CodeList.now();
      if (after.isTold() ? after.keeps(before) : looks >= LOOKS_UNTOLD) {
        break;
      }
    }
    return done;
  }

  /**
   * So many calls, of which the workload's own may take a part of the time, and more until the operation is compiled:
   * compilers may be behind on a busy machine. All that as far as there is time.
   */
  private int runSome(Workload twin, int calls, double ownPart, Spent spent) throws ReflectiveOperationException {
    long ownNs = 0;
    long start = spent.elapsed();
    int done = 0;
    while (!spent.isAll()) {
      if (done >= calls && (done - calls) % ASK_EVERY == 0 && CodeList.now().has(method())) {
        break;
      }
      long before = spent.elapsed();
      boolean itself = ownNs < (before - start) * ownPart;
      call(itself ? own : twin);
      ownNs += itself ? spent.elapsed() - before : 0;
      done++;
    }
    return done;
  }

  private void call(Workload workload) throws ReflectiveOperationException {
    try {
      operation.invoke(workload);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("warm-up failed: " + e.getCause(), e.getCause());
    }
  }

  /** A workload of the same class with the same parameters. */
  private Workload twin() throws ReflectiveOperationException {
    Workload twin = own.getClass().getDeclaredConstructor().newInstance();
    for (Field parameter : parameters()) {
      parameter.set(twin, parameter.get(own));
    }
    twin.operation = own.operation;
    return twin;
  }

  private boolean hasSameParameters(Workload other) throws ReflectiveOperationException {
    for (Field parameter : parameters()) {
      if (!Objects.equals(parameter.get(own), parameter.get(other))) {
        return false;
      }
    }
    return true;
  }

  private List<Field> parameters() {
    return Arrays.stream(own.getClass().getFields()).filter(field -> field.isAnnotationPresent(Param.class))
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
