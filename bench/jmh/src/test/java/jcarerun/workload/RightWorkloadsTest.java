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
import org.junit.jupiter.params.provider.ValueSource;

/** Workloads whose answers are right, of yesterday's algorithms and today's, and what is missing or wrong. */
class RightWorkloadsTest {
  @BeforeAll
  static void define() {
    TestProviders.define();
  }

  private static void assertRight(Workload workload) throws Exception {
    workload.setUp();
    workload.tearDown();
  }

  /** Providers, a workload, its parameters. Set up and torn down, it is checked as before and after a timing. */
  @ParameterizedTest
  @ValueSource(strings = {
    "SunJCE,bouncycastle ZeroBytes algorithm=RSA bits=1024", "default ZeroBytes algorithm=AES bits=128",
    "bouncycastle ZeroBytes algorithm=DESede bits=112", "SunJCE ZeroBytes algorithm=Blowfish bits=56",
    "bouncycastle ZeroBytes algorithm=DES bits=56", "bouncycastle Ecies curve=secp256r1",
    "SunJCE,bouncycastle,gnu-crypto,cryptix KeySetup transformation=DESede/CBC/PKCS5Padding bits=168",
    "SunJCE,bouncycastle KeySetup bits=128", "SunJCE,bouncycastle PublicKeyCipher bits=2048",
    "bouncycastle PublicKeyCipher transformation=RSA/ECB/OAEPPadding bits=1536",
    "bouncycastle PublicKeyCipher transformation=ElGamal/None/PKCS1Padding keys=DH bits=1536",
    "bouncycastle PublicKeyCipher transformation=ECIES keys=EC bits=256",
    "SunJCE,bouncycastle Agreement algorithm=ECDH keys=EC bits=256",
    "SunJCE,bouncycastle Agreement algorithm=DH keys=DH bits=2048",
    "SunJCE,bouncycastle Agreement algorithm=X25519 keys=XDH bits=256",
    "SunJCE,bouncycastle Agreement algorithm=X448 keys=XDH bits=448",
    "SunJCE,bouncycastle KeyPairGeneration algorithm=RSA bits=1024",
    "SunJCE,bouncycastle KeyPairGeneration algorithm=RSA bits=1536 from=generate",
    "SunJCE,bouncycastle KeyPairGeneration algorithm=DSA bits=1024 from=generate",
    "SunJCE,bouncycastle KeyPairGeneration algorithm=EC bits=256 from=generate",
    "SunJCE,bouncycastle KeyPairGeneration algorithm=DH bits=1536 from=generate",
    "SunJCE,bouncycastle KeyPairGeneration algorithm=Ed25519 bits=0 from=generate",
    "bouncycastle KeyPairGeneration algorithm=ML-DSA-44 bits=0",
    "bouncycastle Signing algorithm=ML-DSA-44 keys=ML-DSA-44 bits=0",
    "bouncycastle KeyPairGeneration algorithm=ML-DSA-65 bits=0",
    "bouncycastle Signing algorithm=ML-DSA-65 keys=ML-DSA-65 bits=0",
    "bouncycastle KeyPairGeneration algorithm=ML-DSA-87 bits=0",
    "bouncycastle Signing algorithm=ML-DSA-87 keys=ML-DSA-87 bits=0",
    "bouncycastle KeyPairGeneration algorithm=ML-KEM-512 bits=0",
    "bouncycastle KeyPairGeneration algorithm=ML-KEM-768 bits=0",
    "bouncycastle KeyPairGeneration algorithm=ML-KEM-1024 bits=0",
    "SunJCE,bouncycastle Signing algorithm=SHA1withRSA keys=RSA bits=6136 bytes=100",
    "SunJCE,bouncycastle Signing algorithm=SHA256withDSA keys=DSA bits=2048 bytes=100",
    "SunJCE,bouncycastle Signing algorithm=SHA256withECDSA keys=EC bits=256 bytes=100",
    "SunJCE,bouncycastle Signing algorithm=Ed25519 keys=EdDSA bits=256",
    "SunJCE,bouncycastle Signing algorithm=Ed448 keys=EdDSA bits=456",
    "SunJCE,bouncycastle Signing algorithm=RSASSA-PSS keys=RSA bits=2048",
    "bouncycastle SecretKeyCipher transformation=Salsa20 bits=256 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=HC128 bits=128 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=HC256 bits=256 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=Grainv1 bits=80 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=Grain128 bits=128 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=RC6/CBC/PKCS5Padding bits=256 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=Camellia/CBC/PKCS5Padding bits=256 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=SEED/CBC/PKCS5Padding bits=128 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=CAST6/CBC/PKCS5Padding bits=256 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=AES/CCM/NoPadding bits=128 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=AES/EAX/NoPadding bits=128 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=AES/OCB/NoPadding bits=128 bytes=1000",
    "bouncycastle SecretKeyCipher transformation=AES/GCM-SIV/NoPadding bits=128 bytes=1000",
    "SunJCE,bouncycastle KeyDerivation algorithm=PBKDF2WithHmacSHA256 iterations=1000 bits=512",
    "SunJCE KeyDerivation algorithm=PBKDF2WithHmacSHA512 iterations=1000 bits=512",
    "bouncycastle KeyDerivation algorithm=Argon2id iterations=1 memory=64 bits=256",
    "bouncycastle Digest algorithm=BLAKE3-256", "bouncycastle AuthenticationCode algorithm=AESCMAC bits=128",
  })
  void workloadsAreRight(String row) throws Exception {
    String[] words = row.split(" ", 2);
    for (String provider : words[0].split(",")) {
      assertRight(Workloads.of(provider, words[1]));
    }
  }

  @ParameterizedTest
  @CsvSource({"SunJCE,HKDF-SHA256", "SunJCE,HKDF-SHA512"})
  void keysAreDerivedFromSecrets(String provider, String algorithm) throws Exception {
    assumeTrue(Runtime.version().feature() >= 25, "javax.crypto.KDF is of Java 25");
    assertRight(Workloads.of(KeyDerivation.class, provider, "algorithm", algorithm, "bits", 800));
  }

  @Test
  void keysAreDerivedByArgon2OnlyWhereAProviderHasIt() {
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
  @CsvSource({"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
  void encapsulationsOfEveryParameterSet(String algorithm) throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "javax.crypto.KEM is of Java 21");
    assertRight(Workloads.of(Encapsulating.class, "bouncycastle", "algorithm", algorithm));
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
