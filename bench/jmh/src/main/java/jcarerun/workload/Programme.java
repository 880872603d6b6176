package jcarerun.workload;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import jcarerun.probe.Observations;
import jcarerun.probe.Observations.Measures;
import jcarerun.probe.ProbedWorkload;
import jcarerun.probe.ProbedWorkload.WrongAnswer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * A benchmark programme as it was written before there were harnesses: one JVM goes through operations of other
 * workloads, and repeats each for a least time and a least number of times. The clock stands around the whole
 * repetition, and the average counts. Nothing is warmed up, and an operation finds the JVM as the ones before have left
 * it.
 *
 * <p>Observed of each operation, {@code average.<name>}: nanoseconds a call. An operation that the provider lacks has
 * {@code not-offered.<name>} in its place, and one whose result is wrong {@code wrong.<name>}.
 */
@Measures({"average.*", "not-offered.*", "wrong.*"})
public class Programme extends Workload {
  private static final String ENTRY = "[a-z0-9][a-z0-9.-]*@\\w+\\.\\w+(;\\w+:[^;:]+)*";

  /**
   * The operations in their order, joined by {@code +}: name, {@code @}, class and method, then their parameters, each
   * as {@code ;name:value}.
   */
  @Param("digest@Digest.digest;algorithm:SHA-256;bytes:131072")
  public String programme;

  /** How long an operation is repeated at least. */
  @Param("1000")
  public int leastMs;

  /** How often an operation is repeated at least. */
  @Param("10")
  public int leastTimes;

  /** Keeps results from being dropped. */
  private Object last;

  @Override
  protected String subject() {
    return "the programme";
  }

  @Override
  protected void prepare() {
    for (String entry : programme.split("\\+")) {
      if (!entry.matches(ENTRY)) {
        throw new IllegalArgumentException("programme must have name@Class.method;parameter:value, has " + entry);
      }
    }
    if (leastTimes < 1) {
      throw new IllegalArgumentException("leastTimes must be 1 or more, is " + leastTimes);
    }
  }

  /** Each operation is checked when its repetition has ended. */
  @Override
  protected void verify(Check check) {}

  /** The whole programme. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public Object run() throws IOException, ReflectiveOperationException {
    for (String entry : programme.split("\\+")) {
      int at = entry.indexOf('@');
      run(entry.substring(0, at), entry.substring(at + 1).split(";"));
    }
    return last;
  }

  /** One operation; its average is kept only where the result was right. */
  private void run(String name, String[] words) throws IOException, ReflectiveOperationException {
    String[] benchmark = words[0].split("\\.");
    Map<String, String> parameters = new HashMap<>();
    parameters.put("provider", provider);
    for (int i = 1; i < words.length; i++) {
      parameters.put(words[i].substring(0, words[i].indexOf(':')), words[i].substring(words[i].indexOf(':') + 1));
    }
    Class<?> type = Class.forName(Workload.class.getPackage().getName() + '.' + benchmark[0]);
    Workload workload = ProbedWorkload.make(type.asSubclass(Workload.class), parameters);
    workload.operation = benchmark[1];
    String observed = "average.";
    double value = 1;
    try {
      workload.setUp();
      value = repeat(workload, type.getMethod(benchmark[1]));
      workload.tearDown();
    } catch (WrongAnswer e) {
      observed = "wrong.";
    } catch (InvocationTargetException | RuntimeException | LinkageError e) {
      observed = "not-offered.";
    }
    Observations.add(observed + name, observed.equals("average.") ? value : 1);
  }

  /** Average time of a call in nanoseconds. */
  private double repeat(Workload workload, Method operation) throws ReflectiveOperationException {
    long start = System.nanoTime();
    long end = start + leastMs * 1_000_000L;
    long now = start;
    long times = 0;
    while (times < leastTimes || now < end) {
      last = operation.invoke(workload);
      times++;
      now = System.nanoTime();
    }
    return (double) (now - start) / times;
  }
}
