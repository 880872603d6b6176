package jcarerun.workload;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import jcarerun.Jca;

/**
 * Published answers in hexadecimal: key, plain text and cipher text of block ciphers, for ECB without padding; digests
 * of "abc".
 *
 * <p>A round trip can't tell a cipher from another one that can be undone; a published answer can.
 */
final class KnownAnswers {
  private static final Map<String, String[]> VECTORS = new HashMap<>();
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
    // RFC 1321, appendix A.5
    DIGESTS.put("MD5", "900150983cd24fb0d6963f7d28e17f72");
    // FIPS 180-2, appendices A.1 and B.1
    DIGESTS.put("SHA-1", "a9993e364706816aba3e25717850c26c9cd0d89d");
    DIGESTS.put("SHA-256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  private KnownAnswers() {}

  private static void vector(String algorithm, String... keyPlainCipher) {
    VECTORS.put(algorithm, keyPlainCipher);
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

  /** The published digest of the three letters "abc". */
  static byte[] digest(Check check, String algorithm) {
    check.that("no published digest is known for it; add one to KnownAnswers", DIGESTS.containsKey(algorithm));
    return bytes(DIGESTS.get(algorithm));
  }

  private static byte[] bytes(String hex) {
    byte[] signed = new BigInteger("01" + hex, 16).toByteArray();
    return Arrays.copyOfRange(signed, 1, signed.length);
  }
}
