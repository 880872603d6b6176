package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import jcarerun.TestProviders;
import jcarerun.probe.Observations;
import jcarerun.workload.SingleCalls.Call;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workloads that time by themselves: single calls, clocks, and a study's programme of operations in one JVM. */
class OwnTimesTest {
  @BeforeEach
  void forgetWhatOthersObserved() {
    TestProviders.define();
    Observations.take();
  }

  private static SingleCalls workload(String provider, Call call, String algorithm, int bits) {
    return Workloads.of(SingleCalls.class, provider, "call", call, "algorithm", algorithm, "bits", bits,
        "bytes", 1000);
  }

  private static Map<String, long[]> iteration(SingleCalls workload, int calls) throws Exception {
    return Workloads.counts(workload, workload::call, calls);
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
    workload.warmed();
    assertEquals(2, iteration(workload, 2).get("calls").length);
    SingleCalls broken = workload(Workloads.broken("encrypt"), Call.encrypt, "AES/ECB/PKCS5Padding", 128);
    assertThrows(IllegalStateException.class, broken::setUp);
  }

  private static double resolution(ClockReading.Clock clock) throws Exception {
    ClockReading workload = Workloads.of(ClockReading.class, "default", "clock", clock);
    workload.setUp();
    return Workloads.numbers(workload, workload::read).get("resolution");
  }

  @ParameterizedTest
  @EnumSource
  void everyClockGoesOn(ClockReading.Clock clock) throws Exception {
    assertTrue(resolution(clock) > 0);
  }

  @Test
  void millisecondsAreWholeOnes() throws Exception {
    assertEquals(0, resolution(ClockReading.Clock.currentTimeMillis) % 1_000_000);
  }

  private static final String AES = "SecretKeyCipher.encrypt;bits:128;transformation:AES/CBC/PKCS5Padding;bytes:";

  private static Programme programme(String provider, String operations) {
    return Workloads.of(Programme.class, provider, "programme", operations, "leastMs", 20, "leastTimes", 3);
  }

  private static Map<String, Double> observed(Programme programme) throws Exception {
    programme.setUp();
    Map<String, Double> observed = Workloads.numbers(programme, programme::run);
    programme.tearDown();
    return observed;
  }

  @Test
  void everyOperationHasAnAverageOfItsOwn() throws Exception {
    Programme programme = programme("SunJCE", "aes--16@" + AES + "16+aes--4-kb@" + AES + "4096+hash@"
        + "Digest.digest;algorithm:Whirlpool");
    long start = System.nanoTime();
    Map<String, Double> found = observed(programme);
    assertTrue(System.nanoTime() - start >= 2 * 20_000_000L, "each that is offered is repeated for its least time");
    assertEquals(List.of("average.aes--16", "average.aes--4-kb", "not-offered.hash"), List.copyOf(found.keySet()));
    assertTrue(found.values().stream().allMatch(value -> value > 0));
  }

  @Test
  void aResultThatIsWrongInTheRepetitionHasNoAverage() throws Exception {
    Programme programme = programme(Workloads.broken("later"), "aes@" + AES + "16");
    programme.leastTimes = 100;
    assertEquals(Set.of("wrong.aes"), observed(programme).keySet());
  }

  @Test
  void whatAProviderThrowsInTheCheckCostsThatOperationAlone() throws Exception {
    String operations = "aes@" + AES + "16+hash@Digest.digest;algorithm:SHA-256";
    System.setProperty("jcarerun.cold", "true");
    try {
      Map<String, Double> found = observed(programme(Workloads.broken("unchecked"), operations));
      assertEquals(List.of("not-offered.aes", "average.hash"), List.copyOf(found.keySet()));
    } finally {
      System.clearProperty("jcarerun.cold");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SecretKeyCipher.encrypt", "aes@SecretKeyCipher", "aes@SecretKeyCipher.encrypt;bits"})
  void aProgrammeThatIsNoneIsRefused(String operations) {
    assertThrows(IllegalArgumentException.class, programme("SunJCE", operations)::setUp);
  }
}
