package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import jcarerun.probe.Observations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A study's programme: each operation repeated in one JVM. */
class ProgrammeTest {
  private static final String AES = "SecretKeyCipher.encrypt;bits:128;transformation:AES/CBC/PKCS5Padding;bytes:";

  private static Programme programme(String provider, String operations) {
    Observations.take();
    return Workloads.of(Programme.class, provider, "programme", operations, "leastMs", 20, "leastTimes", 3);
  }

  private static List<String> observed(Programme programme) throws Exception {
    programme.setUp();
    programme.startClock();
    programme.run();
    programme.stopClock();
    programme.tearDown();
    return Observations.take();
  }

  private static List<String> names(List<String> rows) {
    return rows.stream().map(row -> row.split(",")[0]).collect(Collectors.toList());
  }

  @Test
  void everyOperationHasAnAverageOfItsOwn() throws Exception {
    Programme programme = programme("SunJCE", "aes--16@" + AES + "16+aes--4-kb@" + AES + "4096+hash@"
        + "Digest.digest;algorithm:Whirlpool");
    long start = System.nanoTime();
    List<String> rows = observed(programme);
    assertTrue(System.nanoTime() - start >= 2 * 20_000_000L, "each that is offered is repeated for its least time");
    assertEquals(List.of("average.aes--16", "average.aes--4-kb", "not-offered.hash"), names(rows));
    assertTrue(rows.stream().allMatch(row -> Double.parseDouble(row.split(",")[1]) > 0));
  }

  @Test
  void aResultThatIsWrongInTheRepetitionHasNoAverage() throws Exception {
    Programme programme = programme(Workloads.broken("later"), "aes@" + AES + "16");
    programme.leastTimes = 100;
    assertEquals(List.of("wrong.aes"), names(observed(programme)));
  }

  @Test
  void whatAProviderThrowsInTheCheckCostsThatOperationAlone() throws Exception {
    String operations = "aes@" + AES + "16+hash@Digest.digest;algorithm:SHA-256";
    System.setProperty("jcarerun.cold", "true");
    try {
      List<String> rows = observed(programme(Workloads.broken("unchecked"), operations));
      assertEquals(List.of("not-offered.aes", "average.hash"), names(rows));
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
