package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import jcarerun.TestProviders;
import jcarerun.probe.ProbedWorkload.WrongAnswer;
import jcarerun.workload.KeyPairGeneration.From;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workloads that compare providers: what they give is the same everywhere, and what is wrong is found. */
class ProviderWorkloadsTest {
  @BeforeAll
  static void defineProviders() {
    TestProviders.define();
  }

  private static SecretKeyCipher cipher(String provider, String transformation, int bits) throws Exception {
    SecretKeyCipher workload = Workloads.of(SecretKeyCipher.class, provider, "transformation", transformation,
        "content", Contents.FIXED, "bits", bits, "bytes", 1000, "init", "inside");
    workload.setUp();
    return workload;
  }

  @ParameterizedTest
  @CsvSource({
    "SunJCE,gnu-crypto,AES/CBC/PKCS5Padding,256", "SunJCE,cryptix,AES/CBC/PKCS5Padding,128",
    "SunJCE,bouncycastle,DES/CBC/PKCS5Padding,56", "cryptix,gnu-crypto,DES/CBC/PKCS5Padding,56",
    "SunJCE,gnu-crypto,DESede/CBC/PKCS5Padding,168", "SunJCE,cryptix,DESede/CBC/PKCS5Padding,112",
    "gnu-crypto,cryptix,Blowfish/CBC/PKCS5Padding,128", "bouncycastle,gnu-crypto,Twofish/CBC/PKCS5Padding,256",
    "bouncycastle,gnu-crypto,Serpent/CBC/PKCS5Padding,128", "bouncycastle,cryptix,IDEA/CBC/PKCS5Padding,128",
    "SunJCE,bouncycastle,ARCFOUR,128", "SunJCE,cryptix,ARCFOUR,128", "SunJCE,bouncycastle,ChaCha20,256",
    "SunJCE,bouncycastle,AES/GCM/NoPadding,128", "SunJCE,bouncycastle,ChaCha20-Poly1305,256",
  })
  void twoProvidersGiveTheSameCipherText(String one, String other, String transformation, int bits) throws Exception {
    assertArrayEquals(cipher(one, transformation, bits).answer(), cipher(other, transformation, bits).answer());
  }

  @Test
  void aCipherInitialisedOutsideTheCallGivesTheSame() throws Exception {
    SecretKeyCipher workload = cipher("SunJCE", "AES/CBC/PKCS5Padding", 128);
    byte[] inside = workload.encrypt();
    workload.init = "outside";
    workload.setUp();
    assertArrayEquals(inside, workload.encrypt());
    assertArrayEquals(inside, workload.encrypt());
    assertArrayEquals(Contents.fixed(1000), workload.decrypt());
  }

  @Test
  void anAuthenticatedCipherCannotBeInitialisedOutside() {
    SecretKeyCipher workload = Workloads.of(SecretKeyCipher.class, "SunJCE", "transformation", "AES/GCM/NoPadding",
        "content", Contents.FIXED, "bits", 128, "bytes", 100, "init", "outside");
    assertTrue(assertThrows(IllegalArgumentException.class, workload::setUp).getMessage().contains("must be inside"));
  }

  @Test
  void anOldWhirlpoolIsFoundWrong() throws Exception {
    Digest workload = Workloads.of(Digest.class, "bouncycastle", "algorithm", "Whirlpool", "content", Contents.FIXED,
        "bytes", 100);
    workload.setUp();
    workload.provider = "gnu-crypto";
    assertTrue(assertThrows(WrongAnswer.class, workload::setUp).getMessage().contains("digest of \"abc\""));
  }

  @ParameterizedTest
  @CsvSource({"SunJCE", "bouncycastle", "gnu-crypto"})
  void codesAreTheSameEverywhere(String provider) throws Exception {
    AuthenticationCode workload = Workloads.of(AuthenticationCode.class, provider, "algorithm", "HmacSHA256",
        "bits", 512, "bytes", 1000, "init", "inside");
    workload.setUp();
    javax.crypto.Mac reference = javax.crypto.Mac.getInstance("HmacSHA256");
    reference.init(Keys.fixedSecret("Hmac", 512));
    assertArrayEquals(reference.doFinal(Contents.fixed(1000)), workload.mac());
  }

  @ParameterizedTest
  @CsvSource({"DH,DH,2048", "ECDH,EC,521", "X25519,XDH,256"})
  void providersAgreeOnTheSameSecret(String algorithm, String keys, int bits) throws Exception {
    assertArrayEquals(agreed("SunJCE", algorithm, keys, bits), agreed("bouncycastle", algorithm, keys, bits));
  }

  private static byte[] agreed(String provider, String algorithm, String keys, int bits) throws Exception {
    Agreement workload = Workloads.agreement(provider, algorithm, keys, bits, Keys.BY_BITS, From.init);
    workload.setUp();
    return workload.answer();
  }

  @Test
  void fixedInputsAreWhatTheySay() throws Exception {
    assertTrue(new String(Contents.fixed(1000), StandardCharsets.US_ASCII).matches("[ -~]{1000}"));
    byte[] key = Keys.fixedSecret("DESede", 112).getEncoded();
    assertEquals(24, key.length);
    for (byte b : key) {
      assertEquals(1, Integer.bitCount(b & 0xff) % 2);
    }
    assertThrows(java.security.GeneralSecurityException.class, () -> Keys.fixedPair("RSA", 1000, null));
  }

  private static Digest digest(String provider, String algorithm) {
    return Workloads.of(Digest.class, provider, "algorithm", algorithm, "bytes", 1000, "content", "text");
  }

  @ParameterizedTest
  @CsvSource({
    "default,SHA-256", "SunJCE,MD5", "SunJCE,SHA-1", "SunJCE,SHA-256", "bouncycastle,MD5", "bouncycastle,SHA-1",
    "bouncycastle,SHA-256",
  })
  void everyDigestOfEveryProviderIsRight(String provider, String algorithm) throws Exception {
    Digest workload = digest(provider, algorithm);
    workload.setUp();
    assertArrayEquals(MessageDigest.getInstance(algorithm).digest(Contents.make("text", 1000)), workload.digest());
  }

  @Test
  void aProviderFromAJarIsNotHelpedOut() {
    Digest workload = digest(Workloads.broken("none"), "SHA-256");
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.startsWith("SHA-256 of provider broken-none can't be run"), message);
  }

  @Test
  void aDigestWithoutPublishedAnswerIsComparedWithTheJdks() throws Exception {
    Digest workload = digest("default", "SHA-512/256");
    workload.setUp();
    assertArrayEquals(MessageDigest.getInstance("SHA-512/256").digest(Contents.make("text", 1000)), workload.digest());
    workload.tearDown();
  }

  @Test
  void aWrongDigestIsFoundBeforeItIsTimed() {
    String message = assertThrows(IllegalStateException.class, digest(Workloads.broken("digest"), "SHA-256")::setUp)
        .getMessage();
    assertTrue(message.contains("digest of \"abc\""), message);
  }
}
