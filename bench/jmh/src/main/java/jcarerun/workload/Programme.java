package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Locale;
import jcarerun.probe.Measures;
import jcarerun.probe.Observations;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * A benchmark programme as it was written before there were harnesses: one JVM goes through operations and lengths of
 * text, and repeats each for a least time and a least number of times. The clock stands around the whole repetition,
 * and the average counts. Nothing is warmed up, and an operation finds the JVM as the ones before have left it.
 *
 * <p>Observed of each operation and length, {@code average.<operation>.<bytes>}: nanoseconds a call; the operation is
 * named by call, algorithm and bits, such as {@code encrypt-aes-128}. Initialisation is inside the calls.
 */
@Measures({"average.*"})
public class Programme extends Workload {
  /** The operations in their order, joined by {@code +}: {@link Call}, algorithm and key bits, joined by colons. */
  @Param("encrypt:AES/CBC/PKCS5Padding:128+decrypt:AES/CBC/PKCS5Padding:128+digest:SHA-256:0")
  public String programme;

  /** Lengths of the text in bytes in their order, joined by {@code +}. */
  @Param("131072+262144+524288+1048576+2097152")
  public String lengths;

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
    return programme;
  }

  @Override
  protected void prepare() {
    for (String entry : programme.split("\\+")) {
      if (!entry.matches("[a-z]+:[^:]+:\\d+")) {
        throw new IllegalArgumentException("programme must have call:algorithm:bits, has " + entry);
      }
      Call.valueOf(entry.split(":")[0]);
    }
    if (!lengths.matches("[1-9]\\d*(\\+[1-9]\\d*)*") || leastTimes < 1) {
      throw new IllegalArgumentException("lengths must be numbers joined by +, leastTimes above 0; are " + lengths
          + " and " + leastTimes);
    }
  }

  /** Each operation is checked when its repetition has ended. */
  @Override
  protected void verify(Check check) {}

  /** The whole programme. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public Object run() throws GeneralSecurityException, IOException {
    for (String entry : programme.split("\\+")) {
      String[] parts = entry.split(":");
      String name = (parts[0] + '-' + parts[1].split("/")[0] + '-' + parts[2]).toLowerCase(Locale.ROOT);
      for (String bytes : lengths.split("\\+")) {
        Call call = Call.valueOf(parts[0]);
        ProviderWorkload workload =
            call.workload(provider, parts[1], Integer.parseInt(parts[2]), Integer.parseInt(bytes));
        workload.setUp();
        Observations.add("average." + name + '.' + bytes, repeat(call, workload));
        workload.tearDown();
      }
    }
    return last;
  }

  /** Average time of a call in nanoseconds. */
  private double repeat(Call call, Workload workload) throws GeneralSecurityException {
    long start = System.nanoTime();
    long end = start + leastMs * 1_000_000L;
    long times = 0;
    while (times < leastTimes || System.nanoTime() < end) {
      last = call.run(workload);
      times++;
    }
    return (double) (System.nanoTime() - start) / times;
  }
}
