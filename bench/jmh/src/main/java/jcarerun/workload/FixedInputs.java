package jcarerun.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.spec.SecretKeySpec;
import jcarerun.Jca;

/**
 * Keys and texts that every provider, and native code, can be given alike. Never use one of the keys elsewhere.
 *
 * <p>Key pairs lie in PEM beside the classes, made once with OpenSSL: {@code RSA-2048.pem} holds the private key
 * (PKCS#8) and the public one (X.509).
 */
final class FixedInputs {
  private static final long FACTOR = 6364136223846793005L;
  private static final long STEP = 1442695040888963407L;

  private FixedInputs() {}

  /**
   * Random text: printable ASCII from a linear congruence that starts at 1, modulo 2 to the power of 64, the upper 31
   * bits of each state modulo 95.
   */
  static byte[] text(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes must be positive, is " + bytes);
    }
    byte[] made = new byte[bytes];
    long state = 1;
    for (int i = 0; i < bytes; i++) {
      state = state * FACTOR + STEP;
      made[i] = (byte) (' ' + (state >>> 33) % 95);
    }
    return made;
  }

  /** Fixed bytes, the same in every language: {@code first}, {@code first + 1}, ... modulo 256. */
  static byte[] counted(int first, int bytes) {
    byte[] made = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      made[i] = (byte) (first + i);
    }
    return made;
  }

  /**
   * The key 01 02 03 ...; of DES and Triple-DES with the last bit of each byte set for odd parity, and of Triple-DES
   * with 112 bits the first of two keys again as the third.
   */
  static SecretKeySpec secret(String algorithm, int bits) {
    boolean des = algorithm.startsWith("DES");
    byte[] key = counted(1, des ? (bits + 6) / 7 : bits / 8);
    for (int i = 0; des && i < key.length; i++) {
      key[i] = (byte) (Integer.bitCount(key[i] & 0xfe) % 2 == 0 ? key[i] | 1 : key[i] & 0xfe);
    }
    if (algorithm.equals("DESede") && bits == 112) {
      byte[] two = key;
      key = Arrays.copyOf(two, 24);
      System.arraycopy(two, 0, key, 16, 8);
    }
    return new SecretKeySpec(key, algorithm);
  }

  /** A fixed pair as the provider's own objects; InvalidKeySpecException where there is none of that length. */
  static KeyPair pair(String algorithm, int bits, Provider provider) throws GeneralSecurityException {
    KeyFactory factory = Jca.keyFactory(algorithm, provider);
    String name = algorithm + '-' + bits + ".pem";
    PublicKey publicKey = factory.generatePublic(new X509EncodedKeySpec(part(name, "PUBLIC KEY")));
    PrivateKey privateKey = factory.generatePrivate(new PKCS8EncodedKeySpec(part(name, "PRIVATE KEY")));
    return new KeyPair(publicKey, privateKey);
  }

  private static byte[] part(String name, String label) throws InvalidKeySpecException {
    String text = read(name);
    String begin = "-----BEGIN " + label + "-----";
    int from = text.indexOf(begin) + begin.length();
    return Base64.getMimeDecoder().decode(text.substring(from, text.indexOf("-----END " + label, from)));
  }

  private static String read(String name) throws InvalidKeySpecException {
    try (InputStream in = FixedInputs.class.getResourceAsStream("/jcarerun/keys/" + name)) {
      if (in == null) {
        throw new InvalidKeySpecException("there is no fixed key pair " + name);
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] block = new byte[4096];
      for (int n = in.read(block); n > 0; n = in.read(block)) {
        all.write(block, 0, n);
      }
      return new String(all.toByteArray(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new InvalidKeySpecException(name + " can't be read: " + e, e);
    }
  }
}
