package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import jcarerun.TestProviders;
import jcarerun.probe.ProbedWorkload.WrongAnswer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secret keys, generated and checked, and what they encrypt: files through cipher streams, texts in memory. */
class SecretKeyTest {
  @BeforeAll
  static void defineProviders() {
    TestProviders.define();
  }

  private static KeyGeneration key(String provider, String algorithm, int bits) {
    return Workloads.of(KeyGeneration.class, provider, "algorithm", algorithm, "bits", bits);
  }

  private static FileCipher file(String provider, String algorithm, int bits, String mode, int bytes) {
    return Workloads.of(FileCipher.class, provider, "algorithm", algorithm, "bits", bits, "mode", mode,
        "bytes", bytes, "content", "text");
  }

  private static SecretKeyCipher text(String provider, String algorithm, int bits, String mode) {
    return Workloads.of(SecretKeyCipher.class, provider, "transformation", algorithm + "/" + mode + "/PKCS5Padding",
        "bits", bits, "bytes", 1000, "content", "text");
  }

  private static SecretKeyCipher message(String provider) {
    return Workloads.of(SecretKeyCipher.class, provider, "transformation", "DES/ECB/PKCS5Padding", "bits", 56,
        "content", "message");
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("jcarerun.workload.Workloads#all")
  void everyKeyOfEveryProviderIsRight(String provider, String algorithm, int bits) throws Exception {
    KeyGeneration workload = key(provider, algorithm, bits);
    workload.setUp();
    assertEquals(algorithm, workload.generate().getAlgorithm());
  }

  @Test
  void keysForFilesAreTheSameInEveryFork() throws Exception {
    assertEquals(Keys.seededSecret("AES", 128, null), Keys.seededSecret("AES", 128, null));
    assertEquals(Keys.seededPair("RSA", 1024, null).getPublic(), Keys.seededPair("RSA", 1024, null).getPublic());
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("jcarerun.workload.Workloads#all")
  void everyCipherOfEveryProviderIsRight(String provider, String algorithm, int bits) throws Exception {
    for (String mode : new String[] {"ECB", "CBC"}) {
      // Lengths of files below, at and beyond a block and a buffer, and beyond several buffers.
      for (int bytes : new int[] {1, 16, 8191, 8192, 8193, 24_577}) {
        FileCipher workload = file(provider, algorithm, bits, mode, bytes);
        workload.setUp();
        assertEquals(bytes, workload.encrypt());
        assertEquals(bytes, workload.decrypt());
        workload.tearDown();
      }
      SecretKeyCipher workload = text(provider, algorithm, bits, mode);
      workload.setUp();
      int block = algorithm.equals("AES") ? 16 : 8;
      assertEquals((1000 / block + 1) * block, workload.encrypt().length);
      assertArrayEquals(Contents.make("text", 1000), workload.decrypt());
    }
  }

  @ParameterizedTest(name = "{0} of {1} bytes")
  @CsvSource({"AES/CBC/PKCS5Padding, 1, true", "AES/CBC/PKCS5Padding, 7, true", "AES/CBC/PKCS5Padding, 8, false",
      "ARCFOUR, 1, true", "ARCFOUR, 1000, false"})
  void aShortCipherTextMayBeItsPlainTextByChanceButNoLongOne(String transformation, int bytes, boolean accepted)
      throws Exception {
    SecretInputs inputs = new SecretInputs(transformation, 128, Contents.FIXED, Security.getProvider("SunJCE"));
    byte[] plain = new byte[bytes];
    byte[] unchanged = new byte[transformation.endsWith("PKCS5Padding") ? (bytes / 16 + 1) * 16 : bytes];
    Executable check = () -> inputs.verifyEncrypted(new Check(transformation, "SunJCE"), plain, unchanged);
    if (accepted) {
      assertDoesNotThrow(check);
    } else {
      assertThrows(WrongAnswer.class, check);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "SunJCE", "bouncycastle"})
  void aMessageIsEncryptedByDes(String provider) throws Exception {
    SecretKeyCipher workload = message(provider);
    workload.setUp();
    assertEquals(16, workload.encrypt().length);
    assertArrayEquals("hello world".getBytes(StandardCharsets.US_ASCII), workload.decrypt());
  }

  @Test
  void keysThatProvidersMakeGiveNoAnswerInCommon() throws Exception {
    SecretKeyCipher workload = text("SunJCE", "AES", 128, "CBC");
    workload.setUp();
    assertEquals(0, workload.answer().length);
  }

  @Test
  void leavesNoFileBehind(@TempDir File directory) throws Exception {
    String usual = System.setProperty("java.io.tmpdir", directory.getPath());
    try {
      FileCipher workload = file("SunJCE", "AES", 128, "ECB", 100);
      workload.setUp();
      assertEquals(1, directory.list().length);
      workload.tearDown();
      assertEquals(0, directory.list().length);

      FileCipher broken = file(Workloads.broken("encrypt"), "AES", 128, "ECB", 100);
      assertThrows(IllegalStateException.class, broken::setUp);
      assertEquals(0, directory.list().length);
    } finally {
      System.setProperty("java.io.tmpdir", usual);
    }
  }

  @ParameterizedTest
  @MethodSource("jcarerun.workload.Workloads#faults")
  void aBrokenCipherIsFoundBeforeItIsTimed(String fault) {
    String provider = Workloads.broken(fault);
    assertFound(file(provider, "AES", 128, "ECB", 10_000), "AES/ECB/PKCS5Padding of provider broken-" + fault);
    if (!fault.equals("stream")) { // a text in memory goes through no stream
      assertFound(text(provider, "AES", 128, "CBC"), "AES/CBC/PKCS5Padding, ", " of provider broken-" + fault);
      assertFound(message(provider), "DES/ECB/PKCS5Padding, ", " of provider broken-" + fault);
    }
  }

  @Test
  void brokenKeysAreFoundBeforeTheyAreTimed() {
    assertFound(key(Workloads.broken("constant"), "AES", 128), "", "two keys are equal");
    assertFound(key(Workloads.broken("key"), "DESede", 112), "", "first and third key must be equal");
    assertFound(file(Workloads.broken("key"), "DESede", 112, "ECB", 100), "", "first and third key must be equal");
  }

  private static void assertFound(Workload workload, String start, String... parts) {
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.startsWith(start), message);
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void aWorkingWrapperIsAccepted() throws Exception {
    FileCipher workload = file(Workloads.broken("none"), "AES", 128, "ECB", 10_000);
    workload.setUp();
    workload.tearDown();
  }

  @Test
  void wrongParametersAreRefused() {
    assertRefused(file("SunJCE", "AES", 128, "ECB", 0), "bytes must be positive");
    assertRefused(file("SunJCE", "AES", 128, "CTR", 1), "mode must be ECB or CBC");
    assertRefused(file("nosuch", "AES", 128, "ECB", 1), "'nosuch'");
    FileCipher content = file("SunJCE", "AES", 128, "ECB", 1);
    content.content = "noise";
    assertRefused(content, "content must be fixed, random, text or message");
  }

  private static void assertRefused(FileCipher workload, String part) {
    String message = assertThrows(IllegalArgumentException.class, workload::setUp).getMessage();
    assertTrue(message.contains(part), message);
  }
}
