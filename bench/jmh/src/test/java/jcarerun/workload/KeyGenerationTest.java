package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys, generated and checked. */
class KeyGenerationTest {
  private static KeyGeneration workload(String provider, String algorithm, int bits) {
    return Workloads.of(KeyGeneration.class, provider, "algorithm", algorithm, "bits", bits);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("jcarerun.workload.Workloads#all")
  void everyKeyOfEveryProviderIsRight(String provider, String algorithm, int bits) throws Exception {
    KeyGeneration workload = workload(provider, algorithm, bits);
    workload.setUp();
    assertEquals(algorithm, workload.generate().getAlgorithm());
  }

  @Test
  void aConstantKeyIsFoundBeforeItIsTimed() {
    KeyGeneration workload = workload(Workloads.broken("constant"), "AES", 128);
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.contains("two keys are equal"), message);
  }

  @Test
  void threeKeysInsteadOfTwoAreFound() {
    KeyGeneration workload = workload(Workloads.broken("key"), "DESede", 112);
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.contains("first and third key must be equal"), message);
  }

  @Test
  void keysForFilesAreTheSameInEveryFork() throws Exception {
    assertEquals(Keys.secret("AES", 128, null), Keys.secret("AES", 128, null));
    assertEquals(Keys.pair("RSA", 1024, null).getPublic(), Keys.pair("RSA", 1024, null).getPublic());
  }
}
