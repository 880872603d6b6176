package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files through cipher streams. */
class FileCipherTest {
  private static FileCipher workload(String provider, String algorithm, int bits, String mode, int bytes) {
    return Workloads.of(FileCipher.class, provider, "algorithm", algorithm, "bits", bits, "mode", mode,
        "bytes", bytes, "content", "text");
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("jcarerun.workload.Workloads#all")
  void everyCipherOfEveryProviderIsRight(String provider, String algorithm, int bits) throws Exception {
    for (String mode : new String[] {"ECB", "CBC"}) {
      // Lengths below, at and beyond a block, a buffer, and the study's smallest file.
      for (int bytes : new int[] {1, 16, 8191, 8192, 8193, 102400}) {
        FileCipher workload = workload(provider, algorithm, bits, mode, bytes);
        workload.setUp();
        assertEquals(bytes, workload.encrypt());
        assertEquals(bytes, workload.decrypt());
        workload.tearDown();
      }
    }
  }

  @Test
  void leavesNoFileBehind(@TempDir File directory) throws Exception {
    String usual = System.setProperty("java.io.tmpdir", directory.getPath());
    try {
      FileCipher workload = workload("SunJCE", "AES", 128, "ECB", 100);
      workload.setUp();
      assertEquals(1, directory.list().length);
      workload.tearDown();
      assertEquals(0, directory.list().length);

      FileCipher broken = workload(Workloads.broken("encrypt"), "AES", 128, "ECB", 100);
      assertThrows(IllegalStateException.class, broken::setUp);
      assertEquals(0, directory.list().length);
    } finally {
      System.setProperty("java.io.tmpdir", usual);
    }
  }

  @ParameterizedTest
  @MethodSource("jcarerun.workload.Workloads#faults")
  void aBrokenCipherIsFoundBeforeItIsTimed(String fault) {
    FileCipher workload = workload(Workloads.broken(fault), "AES", 128, "ECB", 10_000);
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.contains("AES/ECB/PKCS5Padding") && message.contains("broken-" + fault), message);
  }

  @Test
  void aWorkingWrapperIsAccepted() throws Exception {
    FileCipher workload = workload(Workloads.broken("none"), "AES", 128, "ECB", 10_000);
    workload.setUp();
    workload.tearDown();
  }

  @Test
  void threeKeysInsteadOfTwoAreFound() {
    FileCipher workload = workload(Workloads.broken("key"), "DESede", 112, "ECB", 100);
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.contains("first and third key must be equal"), message);
  }

  @Test
  void wrongParametersAreRefused() {
    assertRefused(workload("SunJCE", "AES", 128, "ECB", 0), "bytes must be positive");
    assertRefused(workload("SunJCE", "AES", 128, "CTR", 1), "mode must be ECB or CBC");
    assertRefused(workload("nosuch", "AES", 128, "ECB", 1), "'nosuch'");
    FileCipher content = workload("SunJCE", "AES", 128, "ECB", 1);
    content.content = "noise";
    assertRefused(content, "content must be fixed, random, text or message");
  }

  private static void assertRefused(FileCipher workload, String part) {
    String message = assertThrows(IllegalArgumentException.class, workload::setUp).getMessage();
    assertTrue(message.contains(part), message);
  }
}
