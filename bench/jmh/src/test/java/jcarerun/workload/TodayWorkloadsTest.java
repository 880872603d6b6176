package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.math.BigInteger;
import jcarerun.TestProviders;
import jcarerun.workload.SingleCalls.Call;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads of today's algorithms: key derivation, random bytes, ciphers in pieces, ML-DSA and ML-KEM. */
class TodayWorkloadsTest {
  @BeforeAll
  static void define() {
    TestProviders.define();
  }

  private static void assertRight(Workload workload) throws Exception {
    workload.setUp();
    workload.tearDown();
  }

  @ParameterizedTest
  @CsvSource({"SunJCE,PBKDF2WithHmacSHA256", "SunJCE,PBKDF2WithHmacSHA512", "bouncycastle,PBKDF2WithHmacSHA256"})
  void keysAreDerivedFromPasswords(String provider, String algorithm) throws Exception {
    assertRight(Workloads.of(
        KeyDerivation.class, provider, "algorithm", algorithm, "iterations", 1000, "bits", 512));
  }

  @ParameterizedTest
  @CsvSource({"SunJCE,HKDF-SHA256", "SunJCE,HKDF-SHA512"})
  void keysAreDerivedFromSecrets(String provider, String algorithm) throws Exception {
    assumeTrue(Runtime.version().feature() >= 25, "javax.crypto.KDF is of Java 25");
    assertRight(Workloads.of(KeyDerivation.class, provider, "algorithm", algorithm, "bits", 800));
  }

  @Test
  void keysAreDerivedByArgon2WhereAProviderHasIt() throws Exception {
    assertRight(Workloads.of(KeyDerivation.class, "bouncycastle", "algorithm", "Argon2id", "iterations", 1,
        "memory", 64, "bits", 256));
    KeyDerivation lacking = Workloads.of(KeyDerivation.class, "SunJCE", "algorithm", "Argon2id");
    assertThrows(IllegalStateException.class, lacking::setUp);
  }

  @ParameterizedTest
  @CsvSource({"default,usual,own", "default,SHA1PRNG,shared", "default,DRBG,own", "default,NativePRNG,shared",
      "bouncycastle,DEFAULT,own"})
  void randomBytesAreDrawn(String provider, String algorithm, String object) throws Exception {
    RandomBytes workload = Workloads.of(RandomBytes.class, provider, "algorithm", algorithm, "object", object);
    workload.setUp();
    RandomBytes other = Workloads.of(RandomBytes.class, provider, "algorithm", algorithm, "object", object);
    other.setUp();
    assertEquals(32, other.next().length);
    other.tearDown();
    workload.tearDown();
  }

  @ParameterizedTest
  @CsvSource({"SunJCE,AES/CTR/NoPadding,256", "bouncycastle,AES/CTR/NoPadding,256", "SunJCE,AES/CBC/PKCS5Padding,128",
      "SunJCE,AES/GCM/NoPadding,128", "bouncycastle,AES/GCM/NoPadding,128", "SunJCE,ChaCha20-Poly1305,256"})
  void textsAreEncryptedInPieces(String provider, String transformation, int bits) throws Exception {
    for (int bytes : new int[] {1, 1000, 16384, 50000}) {
      assertRight(Workloads.of(MultiPartCipher.class, provider, "transformation", transformation, "bits", bits,
          "bytes", bytes, "piece", 16384));
    }
  }

  @ParameterizedTest
  @CsvSource({"AES/CTR/NoPadding,256,30000000", "AES/CBC/NoPadding,128,30000000", "AES/GCM/NoPadding,256,32768"})
  void longTextsAreEncrypted(String transformation, int bits, int bytes) throws Exception {
    assertRight(Call.encrypt.workload("SunJCE", transformation, bits, bytes));
  }

  @ParameterizedTest
  @CsvSource({"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"})
  void signaturesOfEveryParameterSet(String algorithm) throws Exception {
    assertRight(Workloads.of(Signing.class, "bouncycastle", "algorithm", algorithm, "keys", algorithm, "bits", 0));
    assertRight(Workloads.of(KeyPairGeneration.class, "bouncycastle", "algorithm", algorithm, "bits", 0));
  }

  @ParameterizedTest
  @CsvSource({"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
  void encapsulationsOfEveryParameterSet(String algorithm) throws Exception {
    assertRight(Workloads.of(KeyPairGeneration.class, "bouncycastle", "algorithm", algorithm, "bits", 0));
    assumeTrue(Runtime.version().feature() >= 21, "javax.crypto.KEM is of Java 21");
    assertRight(Workloads.of(Encapsulating.class, "bouncycastle", "algorithm", algorithm));
  }

  @ParameterizedTest
  @CsvSource({"AES/CCM/NoPadding", "AES/EAX/NoPadding", "AES/OCB/NoPadding", "AES/GCM-SIV/NoPadding"})
  void authenticatedModesGetTheirOwnNonce(String transformation) throws Exception {
    assertRight(Call.encrypt.workload("bouncycastle", transformation, 128, 1000));
  }

  @ParameterizedTest
  @CsvSource({"SunJCE,RSASSA-PSS,RSA,2048", "bouncycastle,RSASSA-PSS,RSA,2048", "bouncycastle,Ed448,EdDSA,456",
      "SunJCE,Ed448,EdDSA,456"})
  void signaturesOfToday(String provider, String algorithm, String keys, int bits) throws Exception {
    assertRight(Workloads.of(Signing.class, provider, "algorithm", algorithm, "keys", keys, "bits", bits));
  }

  @ParameterizedTest
  @CsvSource({"SunJCE", "bouncycastle"})
  void x448(String provider) throws Exception {
    assertRight(Workloads.of(Agreement.class, provider, "algorithm", "X448", "keys", "XDH", "bits", 448));
  }

  @Test
  void aDigestWithoutAPublishedAnswerIsMeasured() throws Exception {
    assertRight(Workloads.of(Digest.class, "bouncycastle", "algorithm", "BLAKE3-256"));
    assertRight(Workloads.of(AuthenticationCode.class, "bouncycastle", "algorithm", "AESCMAC", "bits", 128));
  }

  /** RFC 7914, section 11: PBKDF2 by HMAC-SHA-256 of "passwd" and "salt", one iteration. */
  @Test
  void aWrongDerivationIsFound() throws Exception {
    javax.crypto.SecretKeyFactory factory = javax.crypto.SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
    byte[] key = factory.generateSecret(new javax.crypto.spec.PBEKeySpec(
        "passwd".toCharArray(), "salt".getBytes("US-ASCII"), 1, 256)).getEncoded();
    byte[] published = new BigInteger("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc", 16)
        .toByteArray();
    assertArrayEquals(published, key);
    KeyDerivation workload = Workloads.of(KeyDerivation.class, "SunJCE", "iterations", 10, "bits", 256);
    workload.setUp();
    workload.iterations = 11;
    workload.derive();
    workload.bits = 128;
    assertRight(workload);
    KeyDerivation lacking = Workloads.of(KeyDerivation.class, "SunJCE", "algorithm", "PBKDF2WithTiger");
    assertThrows(IllegalStateException.class, lacking::setUp);
  }

  @Test
  void aMechanismThatIsLackingIsNamed() {
    Encapsulating workload = Workloads.of(Encapsulating.class, "gnu-crypto");
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.startsWith("ML-KEM-768 of provider gnu-crypto can't be run"), message);
  }

  @Test
  void nothingReturnedIsTheSameWork() throws Exception {
    SecretKeyCipher cipher = (SecretKeyCipher) Call.encrypt.workload("SunJCE", "DES/ECB/PKCS5Padding", 56, 11);
    cipher.setUp();
    cipher.encryptWithoutResult();
    cipher.tearDown();
    assertTrue(cipher.encrypt().length > 0);
  }
}
