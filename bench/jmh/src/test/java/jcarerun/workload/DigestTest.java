package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.MessageDigest;
import jcarerun.BouncyCastle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hashes of texts. */
class DigestTest {
  @BeforeAll
  static void defineProvider() {
    BouncyCastle.define();
  }

  private static Digest workload(String provider, String algorithm) {
    return Workloads.of(Digest.class, provider, "algorithm", algorithm, "bytes", 1000, "content", "text");
  }

  @ParameterizedTest
  @CsvSource({
    "default,SHA-256", "SunJCE,MD5", "SunJCE,SHA-1", "SunJCE,SHA-256", "bouncycastle,MD5", "bouncycastle,SHA-1",
    "bouncycastle,SHA-256",
  })
  void everyDigestOfEveryProviderIsRight(String provider, String algorithm) throws Exception {
    Digest workload = workload(provider, algorithm);
    workload.setUp();
    assertArrayEquals(MessageDigest.getInstance(algorithm).digest(Contents.make("text", 1000)), workload.digest());
  }

  @Test
  void aProviderFromAJarIsNotHelpedOut() {
    Digest workload = workload(Workloads.broken("none"), "SHA-256");
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.startsWith("SHA-256 of provider broken-none can't be run"), message);
  }

  @Test
  void aDigestWithoutPublishedAnswerIsComparedWithTheJdks() throws Exception {
    Digest workload = workload("default", "SHA-512/256");
    workload.setUp();
    assertArrayEquals(MessageDigest.getInstance("SHA-512/256").digest(Contents.make("text", 1000)), workload.digest());
    workload.tearDown();
  }

  @Test
  void aWrongDigestIsFoundBeforeItIsTimed() {
    String message = assertThrows(IllegalStateException.class, workload(Workloads.broken("digest"), "SHA-256")::setUp)
        .getMessage();
    assertTrue(message.contains("digest of \"abc\""), message);
  }
}
