package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import jcarerun.BouncyCastle;
import jcarerun.probe.Observations;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single calls, each with its time. */
class SingleCallsTest {
  @BeforeEach
  void forgetWhatOthersObserved() {
    BouncyCastle.define();
    Observations.take();
  }

  private static SingleCalls workload(String provider, Call call, String algorithm, int bits) {
    return Workloads.of(SingleCalls.class, provider, "call", call, "algorithm", algorithm, "bits", bits,
        "bytes", 1000);
  }

  private static Map<String, long[]> iteration(SingleCalls workload, int calls) throws Exception {
    workload.startClock();
    for (int i = 0; i < calls; i++) {
      workload.call();
    }
    workload.stopClock();
    Map<String, long[]> found = new HashMap<>();
    for (String row : Observations.take()) {
      String[] parts = row.split(",");
      found.put(parts[0], Arrays.stream(parts[1].split(";")).mapToLong(Long::parseLong).toArray());
    }
    return found;
  }

  @ParameterizedTest
  @CsvSource({"SunJCE,encrypt,AES/CBC/PKCS5Padding,128", "bouncycastle,digest,SHA-256,0",
      "SunJCE,sign,SHA1withRSA,1536"})
  void everyCallHasItsTimeAndItsPlaceOnTheClock(String provider, Call call, String algorithm, int bits)
      throws Exception {
    SingleCalls workload = workload(provider, call, algorithm, bits);
    workload.setUp();
    Map<String, long[]> found = iteration(workload, 20);
    long[] ns = found.get("calls");
    long[] start = found.get("calls.start");
    assertEquals(20, ns.length);
    assertEquals(20, start.length);
    for (int i = 1; i < 20; i++) {
      // The start is in whole microseconds.
      assertTrue(start[i] + 1 >= start[i - 1] + ns[i - 1] / 1000, "call " + i + " begins before the last one ends");
    }
    long[] switched = found.get("calls.switched");
    assertTrue(switched == null || switched.length == 20);
    assertEquals(5, iteration(workload, 5).get("calls").length, "the next iteration begins anew");
  }

  @Test
  void noMoreThanFiveHundredAreKeptAndOneAloneIsKept() throws Exception {
    SingleCalls workload = workload("SunJCE", Call.digest, "SHA-256", 0);
    workload.setUp();
    assertEquals(500, iteration(workload, 510).get("calls").length);
    assertEquals(1, iteration(workload, 1).get("calls").length, "a call as long as its iteration counts");
    assertTrue(iteration(workload, 0).isEmpty());
  }

  @Test
  void itIsTheOperationOfTheWorkloadThatMeasuresItsMean() throws Exception {
    SingleCalls workload = workload("SunJCE", Call.encrypt, "AES/CBC/PKCS5Padding", 128);
    workload.setUp();
    assertArrayEquals(workload.answer(), (byte[]) workload.call());
    workload.warmed(new Check("calls", "SunJCE"));
    assertEquals(2, iteration(workload, 2).get("calls").length);
    SingleCalls broken = workload(Workloads.broken("encrypt"), Call.encrypt, "AES/ECB/PKCS5Padding", 128);
    assertThrows(IllegalStateException.class, broken::setUp);
  }
}
