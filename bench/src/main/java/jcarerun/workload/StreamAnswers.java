package jcarerun.workload;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import jcarerun.Dialect;
import jcarerun.Jca;

/** Published key streams of stream ciphers in hexadecimal: key, initialization vector (empty for none), first bytes. */
final class StreamAnswers {
  private static final Map<String, String[]> VECTORS = new HashMap<>();

  static {
    String zeros = "00000000000000000000000000000000";
    // RFC 8439, appendix A.1, the first
    vector("ChaCha20", zeros + zeros, "000000000000000000000000", "76b8e0ada0f13d90405d6ae55386bd28");
    // eSTREAM's lists: Salsa20/20 set 1 vector 0, HC-128 set 2 vector 0, HC-256 set 2 vector 0
    vector("Salsa20", "80" + zeros.substring(2) + zeros, "0000000000000000", "e3be8fdd8beca2e3ea8ef9475b29a6e7");
    vector("HC128", zeros, zeros, "82001573a003fd3b7fd72ffb0eaf63aa");
    vector("HC256", zeros + zeros, zeros + zeros, "5b078985d8f6f30d42c5c02fa6b67951");
    // RFC 6229, key of 128 bits
    vector("ARCFOUR", "0102030405060708090a0b0c0d0e0f10", "", "9ac7cc9a609d1ef7b2932899cde41b97");
  }

  private StreamAnswers() {}

  private static void vector(String algorithm, String... keyVectorStream) {
    VECTORS.put(algorithm, keyVectorStream);
  }

  /** Encrypts zeros, where a key stream of the algorithm is known. */
  static void verifyIfKnown(Check check, String algorithm, Provider provider) throws GeneralSecurityException {
    String[] vector = VECTORS.get(algorithm);
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

  private static byte[] bytes(String hex) {
    byte[] signed = new BigInteger("01" + hex, 16).toByteArray();
    return Arrays.copyOfRange(signed, 1, signed.length);
  }
}
