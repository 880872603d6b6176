package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts in memory. */
class SecretKeyCipherTest {
  private static SecretKeyCipher workload(String provider, String algorithm, int bits, String mode) {
    return Workloads.of(SecretKeyCipher.class, provider,
        "transformation", algorithm + "/" + mode + "/PKCS5Padding", "bits", bits, "bytes", 1000, "content", "text",
        "init", "inside");
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("jcarerun.workload.Workloads#all")
  void everyCipherOfEveryProviderIsRight(String provider, String algorithm, int bits) throws Exception {
    for (String mode : new String[] {"ECB", "CBC"}) {
      SecretKeyCipher workload = workload(provider, algorithm, bits, mode);
      workload.setUp();
      int block = algorithm.equals("AES") ? 16 : 8;
      assertEquals((1000 / block + 1) * block, workload.encrypt().length);
      assertArrayEquals(Contents.make("text", 1000), workload.decrypt());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypt", "decrypt", "both", "length"})
  void aBrokenCipherIsFoundBeforeItIsTimed(String fault) {
    SecretKeyCipher workload = workload(Workloads.broken(fault), "AES", 128, "CBC");
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.startsWith("AES/CBC/PKCS5Padding, ")
        && message.contains(" of provider broken-" + fault), message);
  }

  @Test
  void keysThatProvidersMakeGiveNoAnswerInCommon() throws Exception {
    SecretKeyCipher workload = workload("SunJCE", "AES", 128, "CBC");
    workload.setUp();
    assertEquals(0, workload.answer().length);
  }
}
