package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import jcarerun.TestProviders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cold fork's first timed call is the first of all; what is wrong is found after the last one. */
class ColdTest {
  @BeforeEach
  void beCold() {
    TestProviders.define();
    System.setProperty("jcarerun.cold", "true");
  }

  @AfterEach
  void beUsual() {
    System.clearProperty("jcarerun.cold");
  }

  private static FileCipher file(String provider, String operation) {
    FileCipher workload = Workloads.of(FileCipher.class, provider, "algorithm", "AES", "bits", 128, "mode", "ECB",
        "bytes", 100, "content", "text");
    workload.operation = operation;
    return workload;
  }

  private static SecretKeyCipher cipher(String provider, String transformation, String operation) {
    SecretKeyCipher workload = Workloads.of(SecretKeyCipher.class, provider, "transformation", transformation,
        "content", Contents.FIXED, "bits", 128, "bytes", 100, "init", "inside");
    workload.operation = operation;
    return workload;
  }

  private static ZeroBytes zeros(String provider, String algorithm, int bits, String operation) {
    ZeroBytes workload = Workloads.of(ZeroBytes.class, provider, "algorithm", algorithm, "bits", bits);
    workload.operation = operation;
    return workload;
  }

  /** The set-up meets no fault, so it has not run the operation; the tear-down does. */
  private static void assertFoundAfterwards(Workload workload) throws IOException {
    workload.setUp();
    assertThrows(IllegalStateException.class, workload::tearDown);
  }

  @Test
  void whatIsWrongIsFoundAfterTheTiming() throws Exception {
    assertFoundAfterwards(file(Workloads.broken("encrypt"), "encrypt"));
    assertFoundAfterwards(file(Workloads.broken("decrypt"), "decrypt"));
    assertFoundAfterwards(cipher(Workloads.broken("encrypt"), "AES/ECB/PKCS5Padding", "encrypt"));
    assertFoundAfterwards(cipher(Workloads.broken("decrypt"), "AES/ECB/PKCS5Padding", "decrypt"));
    assertFoundAfterwards(zeros(Workloads.broken("encrypt"), "AES", 128, "encrypt"));
    KeyGeneration key = Workloads.of(KeyGeneration.class, Workloads.broken("constant"), "algorithm", "AES",
        "bits", 128);
    assertFoundAfterwards(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SunJCE", "bouncycastle"})
  void filesGoThereAndBack(String provider) throws Exception {
    for (String operation : new String[] {"encrypt", "decrypt"}) {
      FileCipher workload = file(provider, operation);
      workload.setUp();
      assertEquals(100, operation.equals("encrypt") ? workload.encrypt() : workload.decrypt());
      workload.tearDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ECB", "CBC"})
  void tripleDesWithTwoKeysGoesThereAndBackThoughTheJdkWantsThree(String mode) throws Exception {
    FileCipher workload = file("bouncycastle", "decrypt");
    workload.algorithm = "DESede";
    workload.bits = 112;
    workload.mode = mode;
    workload.setUp();
    assertEquals(100, workload.decrypt());
    workload.tearDown();
  }

  @ParameterizedTest
  @ValueSource(strings = {"AES/CBC/PKCS5Padding", "Twofish/CBC/PKCS5Padding", "AES/GCM/NoPadding"})
  void textsGoThereAndBackAlsoWhereTheJdkCanNotMakeThem(String transformation) throws Exception {
    SecretKeyCipher decrypting = cipher("bouncycastle", transformation, "decrypt");
    decrypting.setUp();
    assertArrayEquals(Contents.fixed(100), decrypting.decrypt());
    decrypting.tearDown();
    SecretKeyCipher encrypting = cipher("bouncycastle", transformation, "encrypt");
    encrypting.setUp();
    assertTrue(encrypting.encrypt().length >= 100);
    encrypting.tearDown();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SunJCE", "bouncycastle"})
  void keyPairsDecryptAndVerifyWhatTheJdkMade(String provider) throws Exception {
    PublicKeyCipher cipher = Workloads.cipher(provider, "RSA/ECB/PKCS1Padding", "RSA", 1536, Contents.FIXED);
    cipher.operation = "decrypt";
    cipher.setUp();
    assertArrayEquals(Contents.fixed(32), cipher.decrypt());
    cipher.tearDown();
    Signing signing = Workloads.of(Signing.class, provider, "algorithm", "SHA1withRSA", "keys", "RSA", "bits", 1536,
        "bytes", 100);
    signing.operation = "verifySignature";
    signing.setUp();
    assertTrue(signing.verifySignature());
    signing.tearDown();
    ZeroBytes zeros = zeros(provider, "RSA", 1024, "decrypt");
    zeros.setUp();
    assertEquals(117, zeros.decrypt().length);
    zeros.tearDown();
  }

  @Test
  void elgamalHasNoOtherProvider() throws Exception {
    PublicKeyCipher cipher =
        Workloads.cipher("bouncycastle", "ElGamal/None/PKCS1Padding", "DH", 1536, Contents.FIXED);
    cipher.operation = "decrypt";
    cipher.setUp();
    assertArrayEquals(Contents.fixed(32), cipher.decrypt());
    cipher.tearDown();
  }
}
