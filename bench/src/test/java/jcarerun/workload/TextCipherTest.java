package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts in memory. */
class TextCipherTest {
  private static TextCipher workload(String provider, String algorithm, int bits, String mode) {
    TextCipher workload = new TextCipher();
    workload.provider = provider;
    workload.algorithm = algorithm;
    workload.bits = bits;
    workload.mode = mode;
    workload.bytes = 1000;
    workload.content = "text";
    return workload;
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("jcarerun.workload.Ciphers#all")
  void everyCipherOfEveryProviderIsRight(String provider, String algorithm, int bits) throws Exception {
    for (String mode : new String[] {"ECB", "CBC"}) {
      TextCipher workload = workload(provider, algorithm, bits, mode);
      workload.setUp();
      int block = algorithm.equals("AES") ? 16 : 8;
      assertEquals((1000 / block + 1) * block, workload.encrypt().length);
      assertArrayEquals(Contents.make("text", 1000), workload.decrypt());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypt", "decrypt", "both", "length"})
  void aBrokenCipherIsFoundBeforeItIsTimed(String fault) {
    TextCipher workload = workload(Ciphers.broken(fault), "AES", 128, "CBC");
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.startsWith("AES/CBC/PKCS5Padding of provider broken-" + fault), message);
  }
}
