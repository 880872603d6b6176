package jcarerun.workload;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Provider;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import jcarerun.Dialect;
import jcarerun.Jca;

/**
 * Published answers in hexadecimal: key, plain text and cipher text of block ciphers, for ECB without padding; key
 * streams of stream ciphers; digests of "abc".
 *
 * <p>A round trip shows only that a cipher can be undone; a published answer shows which cipher it is.
 */
final class KnownAnswers {
  private static final Map<String, String[]> VECTORS = new HashMap<>();
  /** Key, initialization vector (empty for none) and first bytes of the key stream. */
  private static final Map<String, String[]> STREAMS = new HashMap<>();
  private static final Map<String, String> DIGESTS = new HashMap<>();

  static {
    // FIPS 81, table B1
    vector("DES", "0123456789abcdef", "4e6f772069732074", "3fa40e8a984d4815");
    // NIST SP 800-67, appendix B.1: the first block
    vector("DESede", "0123456789abcdef23456789abcdef01456789abcdef0123", "5468652071756663", "a826fd8ce53b855f");
    // FIPS 197, appendix C.1
    vector("AES", "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
        "69c4e0d86a7b0430d8cdb78070b4c55a");
    // Schneier's and Eric Young's list of Blowfish vectors
    vector("Blowfish", "fedcba9876543210", "0123456789abcdef", "0aceab0fc6a0a28d");
    // RFC 3713, RFC 2144, RFC 2612, RFC 4269, RFC 2268: their examples
    vector("Camellia", "0123456789abcdeffedcba9876543210", "0123456789abcdeffedcba9876543210",
        "67673138549669730857065648eabe43");
    vector("CAST5", "0123456712345678234567893456789a", "0123456789abcdef", "238b4fe5847e44b2");
    vector("CAST6", "2342bb9efa38542c0af75647f29f615d", "00000000000000000000000000000000",
        "c842a08972b43d20836c91d1b7530f6b");
    vector("SEED", "00000000000000000000000000000000", "000102030405060708090a0b0c0d0e0f",
        "5ebac6e0054e166819aff1cc6d346cdb");
    vector("RC2", "88bca90e90875a7f0f79c384627bafb2", "0000000000000000", "2269552ab0f85ca6");
    // Lai's thesis; the AES submissions of RC6 and Twofish; Serpent's as NESSIE has it
    vector("IDEA", "00010002000300040005000600070008", "0000000100020003", "11fbed2b01986de5");
    vector("RC6", "00000000000000000000000000000000", "00000000000000000000000000000000",
        "8fc3a53656b1f778c129df4e9848a41e");
    vector("Twofish", "00000000000000000000000000000000", "00000000000000000000000000000000",
        "9f589f5cf6122c32b6bfec2f2ae8c35a");
    vector("Serpent", "00000000000000000000000000000000", "00000000000000000000000000000000",
        "3620b17ae6a993d09618b8768266bae9");
    // RFC 1321, appendix A.5
    DIGESTS.put("MD5", "900150983cd24fb0d6963f7d28e17f72");
    // FIPS 180-2, appendices A.1 and B.1
    DIGESTS.put("SHA-1", "a9993e364706816aba3e25717850c26c9cd0d89d");
    DIGESTS.put("SHA-256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    // FIPS 180-4 and FIPS 202: NIST's examples with intermediate values
    DIGESTS.put("SHA-224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7");
    DIGESTS.put("SHA-384", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
        + "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7");
    DIGESTS.put("SHA-512", "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
    DIGESTS.put("SHA3-224", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf");
    DIGESTS.put("SHA3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
    DIGESTS.put("SHA3-384", "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c25"
        + "96da7cf0e49be4b298d88cea927ac7f539f1edf228376d25");
    DIGESTS.put("SHA3-512", "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
        + "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0");
    // Dobbertin, Bosselaers and Preneel; Anderson and Biham (NESSIE's list); Rijmen and Barreto (ISO's list)
    DIGESTS.put("RIPEMD160", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc");
    DIGESTS.put("Tiger", "2aab1484e8c158f2bfb8c5ff41b57a525129131c957b5f93");
    DIGESTS.put("Whirlpool", "4e2448a4c6f486bb16b6562c73b4020bf3043e3a731bce721ae1b303d97e6d4c"
        + "7181eebdb6c57e277d0e34957114cbd6c797fc9d95d8b582d225292076d4eef5");
    String zeros = "00000000000000000000000000000000";
    // RFC 8439, appendix A.1, the first
    stream("ChaCha20", zeros + zeros, "000000000000000000000000", "76b8e0ada0f13d90405d6ae55386bd28");
    // eSTREAM's lists: Salsa20/20 set 1 vector 0, HC-128 set 2 vector 0, HC-256 set 2 vector 0
    stream("Salsa20", "80" + zeros.substring(2) + zeros, "0000000000000000", "e3be8fdd8beca2e3ea8ef9475b29a6e7");
    stream("HC128", zeros, zeros, "82001573a003fd3b7fd72ffb0eaf63aa");
    stream("HC256", zeros + zeros, zeros + zeros, "5b078985d8f6f30d42c5c02fa6b67951");
    // RFC 6229, key of 128 bits
    stream("ARCFOUR", "0102030405060708090a0b0c0d0e0f10", "", "9ac7cc9a609d1ef7b2932899cde41b97");
  }

  private KnownAnswers() {}

  private static void vector(String algorithm, String... keyPlainCipher) {
    VECTORS.put(algorithm, keyPlainCipher);
  }

  private static void stream(String algorithm, String... keyVectorStream) {
    STREAMS.put(algorithm, keyVectorStream);
  }

  /** Encrypts and decrypts the algorithm's vector with the provider. */
  static void verify(Check check, String algorithm, Provider provider) throws GeneralSecurityException {
    String[] vector = VECTORS.get(algorithm);
    check.that("no published answer is known for it; add one to KnownAnswers", vector != null);
    SecretKeySpec key = new SecretKeySpec(bytes(vector[0]), algorithm);
    byte[] plain = bytes(vector[1]);
    byte[] encrypted = bytes(vector[2]);
    Cipher cipher = Jca.cipher(algorithm + "/ECB/NoPadding", provider);
    cipher.init(Cipher.ENCRYPT_MODE, key);
    check.same("cipher text of the published vector", encrypted, cipher.doFinal(plain));
    cipher.init(Cipher.DECRYPT_MODE, key);
    check.same("plain text of the published vector", plain, cipher.doFinal(encrypted));
  }

  /** Encrypts and decrypts the algorithm's vector where there is one and the provider has ECB without padding. */
  static void verifyIfKnown(Check check, String algorithm, Provider provider) throws GeneralSecurityException {
    if (!VECTORS.containsKey(algorithm)) {
      return;
    }
    try {
      Jca.cipher(algorithm + "/ECB/NoPadding", provider);
    } catch (GeneralSecurityException e) {
      return; // its other modes are compared with the other providers'
    }
    verify(check, algorithm, provider);
  }

  /** Encrypts zeros, where a key stream of the algorithm is known. */
  static void verifyStream(Check check, String algorithm, Provider provider) throws GeneralSecurityException {
    String[] vector = STREAMS.get(algorithm);
    if (vector == null) {
      return;
    }
    Cipher cipher = Jca.cipher(algorithm, provider);
    SecretKeySpec key = new SecretKeySpec(bytes(vector[0]), algorithm);
    if (vector[1].isEmpty()) {
      cipher.init(Cipher.ENCRYPT_MODE, key);
    } else {
      byte[] iv = bytes(vector[1]);
      cipher.init(Cipher.ENCRYPT_MODE, key,
          Dialect.initializationVector(algorithm, iv, key.getEncoded().length, provider));
    }
    byte[] stream = bytes(vector[2]);
    check.same("key stream of the published vector", stream, cipher.doFinal(new byte[stream.length]));
  }

  /** Hashes "abc", where a published digest is known. Without one the JDK's and the other providers' are compared. */
  static void verifyDigest(Check check, String algorithm, MessageDigest digest) {
    if (!DIGESTS.containsKey(algorithm)) {
      return;
    }
    byte[] found = digest.digest("abc".getBytes(StandardCharsets.US_ASCII));
    check.same("digest of \"abc\"", bytes(DIGESTS.get(algorithm)), found);
  }

  private static byte[] bytes(String hex) {
    byte[] signed = new BigInteger("01" + hex, 16).toByteArray();
    return Arrays.copyOfRange(signed, 1, signed.length);
  }
}
