package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import jcarerun.probe.Observations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A study's programme: each operation repeated at each length, in one JVM. */
class ProgrammeTest {
  private static Programme programme(String provider, String operations, String lengths) {
    Observations.take();
    return Workloads.of(Programme.class, provider, "programme", operations, "lengths", lengths,
        "leastMs", 20, "leastTimes", 3);
  }

  @Test
  void everyOperationHasAnAverageAtEveryLength() throws Exception {
    Programme programme = programme("SunJCE", "encrypt:AES/CBC/PKCS5Padding:128+digest:SHA-256:0", "16+4096");
    programme.setUp();
    long start = System.nanoTime();
    programme.startClock();
    programme.run();
    programme.stopClock();
    assertTrue(System.nanoTime() - start >= 4 * 20_000_000L, "each is repeated for its least time");
    programme.tearDown();
    List<String> rows = Observations.take();
    assertEquals(List.of("average.encrypt-aes-128.16", "average.encrypt-aes-128.4096", "average.digest-sha-256-0.16",
        "average.digest-sha-256-0.4096"), rows.stream().map(row -> row.split(",")[0]).collect(Collectors.toList()));
    assertTrue(rows.stream().allMatch(row -> Double.parseDouble(row.split(",")[1]) > 0));
  }

  @Test
  void aProviderThatIsWrongInTheRepetitionIsFound() throws Exception {
    Programme programme = programme(Workloads.broken("later"), "encrypt:AES/CBC/PKCS5Padding:128", "16");
    programme.leastTimes = 100;
    programme.setUp();
    assertThrows(IllegalStateException.class, programme::run);
    Observations.take();
  }

  @ParameterizedTest
  @CsvSource({"encrypt:AES,16", "guess:AES:128,16", "encrypt:AES:128,-1"})
  void aProgrammeThatIsNoneIsRefused(String operations, String lengths) {
    assertThrows(IllegalArgumentException.class, programme("SunJCE", operations, lengths)::setUp);
  }
}
