package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import jcarerun.BouncyCastle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RSA and DES of "hello world". */
class MessageCipherTest {
  private static final byte[] MESSAGE = "hello world".getBytes(StandardCharsets.US_ASCII);

  @BeforeAll
  static void defineProvider() {
    BouncyCastle.define();
  }

  private static PublicKeyCipher rsa(String provider, int bits) {
    return Workloads.cipher(provider, "RSA/ECB/PKCS1Padding", "RSA", bits, "message");
  }

  private static SecretKeyCipher des(String provider) {
    return Workloads.of(SecretKeyCipher.class, provider, "transformation", "DES/ECB/PKCS5Padding",
        "bits", 56, "content", "message", "init", "inside");
  }

  @ParameterizedTest
  @CsvSource({"default,1024", "SunJCE,1024", "SunJCE,2048", "bouncycastle,1024", "bouncycastle,2048"})
  void rsaIsRight(String provider, int bits) throws Exception {
    PublicKeyCipher workload = rsa(provider, bits);
    workload.setUp();
    assertEquals(bits / 8, workload.encrypt().length);
    assertArrayEquals(MESSAGE, workload.decrypt());
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "SunJCE", "bouncycastle"})
  void desIsRight(String provider) throws Exception {
    SecretKeyCipher workload = des(provider);
    workload.setUp();
    assertEquals(16, workload.encrypt().length);
    assertArrayEquals(MESSAGE, workload.decrypt());
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypt", "decrypt", "both", "length"})
  void aBrokenRsaIsFoundBeforeItIsTimed(String fault) {
    assertFound(rsa(Workloads.broken(fault), 1024), "RSA/ECB/PKCS1Padding", fault);
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypt", "decrypt", "both", "length"})
  void aBrokenDesIsFoundBeforeItIsTimed(String fault) {
    assertFound(des(Workloads.broken(fault)), "DES/ECB/PKCS5Padding", fault);
  }

  private static void assertFound(Workload workload, String subject, String fault) {
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.startsWith(subject + ", ") && message.contains(" of provider broken-" + fault), message);
  }
}
