package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import jcarerun.OtherProviders;
import jcarerun.probe.Offering;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads of today's algorithms: key derivation, random bytes, ciphers in pieces, ML-DSA and ML-KEM. */
class TodayWorkloadsTest {
  @BeforeAll
  static void define() {
    OtherProviders.define();
  }

  /** A workload by its parameters, as {@code name=value} words. */
  @SuppressWarnings("unchecked")
  private static <T extends Workload> T workload(Class<T> type, String provider, String words) throws Exception {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("provider", provider);
    for (String word : words.split(" ")) {
      parameters.put(word.split("=")[0], word.split("=")[1]);
    }
    return (T) Offering.of(type.getName(), parameters);
  }

  private static void assertRight(Workload workload) throws Exception {
    workload.setUp();
    workload.tearDown();
  }

  @ParameterizedTest
  @CsvSource({"SunJCE,PBKDF2WithHmacSHA256", "SunJCE,PBKDF2WithHmacSHA512", "bouncycastle,PBKDF2WithHmacSHA256"})
  void keysAreDerivedFromPasswords(String provider, String algorithm) throws Exception {
    assertRight(workload(KeyDerivation.class, provider, "algorithm=" + algorithm + " iterations=1000 bits=512"));
  }

  @ParameterizedTest
  @CsvSource({"SunJCE,HKDF-SHA256", "SunJCE,HKDF-SHA512"})
  void keysAreDerivedFromSecrets(String provider, String algorithm) throws Exception {
    assumeTrue(Runtime.version().feature() >= 25, "javax.crypto.KDF is of Java 25");
    assertRight(workload(KeyDerivation.class, provider, "algorithm=" + algorithm + " bits=800"));
  }

  @ParameterizedTest
  @CsvSource({"default,usual,own", "default,SHA1PRNG,shared", "default,DRBG,own", "default,NativePRNG,shared",
      "bouncycastle,DEFAULT,own"})
  void randomBytesAreDrawn(String provider, String algorithm, String object) throws Exception {
    RandomBytes workload = workload(RandomBytes.class, provider, "algorithm=" + algorithm + " object=" + object);
    workload.setUp();
    RandomBytes other = workload(RandomBytes.class, provider, "algorithm=" + algorithm + " object=" + object);
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
      assertRight(workload(MultiPartCipher.class, provider, "transformation=" + transformation + " bits=" + bits
          + " bytes=" + bytes + " piece=16384"));
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
    assertRight(workload(Signing.class, "bouncycastle", "algorithm=" + algorithm + " keys=" + algorithm + " bits=0"));
    assertRight(workload(KeyPairGeneration.class, "bouncycastle", "algorithm=" + algorithm + " bits=0"));
  }

  @ParameterizedTest
  @CsvSource({"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
  void encapsulationsOfEveryParameterSet(String algorithm) throws Exception {
    assertRight(workload(KeyPairGeneration.class, "bouncycastle", "algorithm=" + algorithm + " bits=0"));
    assumeTrue(Runtime.version().feature() >= 21, "javax.crypto.KEM is of Java 21");
    assertRight(workload(Encapsulating.class, "bouncycastle", "algorithm=" + algorithm));
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
    KeyDerivation workload = workload(KeyDerivation.class, "SunJCE", "iterations=10 bits=256");
    workload.setUp();
    workload.iterations = 11;
    workload.derive();
    workload.bits = 128;
    assertRight(workload);
    KeyDerivation lacking = workload(KeyDerivation.class, "SunJCE", "algorithm=PBKDF2WithTiger");
    assertThrows(IllegalStateException.class, lacking::setUp);
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
