package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import jcarerun.Dialect;
import jcarerun.Jca;

/**
 * A secret key and initialization vectors for a cipher of any kind.
 *
 * <p>With the content {@code fixed} they are the same in every provider and in native code; with any other the provider
 * makes the key, see {@link Keys}.
 */
final class SecretInputs {
  /** Bytes of the initialization vector of a stream cipher; block ciphers have that of a block. */
  private static final Map<String, Integer> NONCE_BYTES = new HashMap<>();

  static {
    NONCE_BYTES.put("ARCFOUR", 0);
    NONCE_BYTES.put("Salsa20", 8);
    NONCE_BYTES.put("ChaCha20", 12);
    NONCE_BYTES.put("ChaCha20-Poly1305", 12);
    NONCE_BYTES.put("HC128", 16);
    NONCE_BYTES.put("HC256", 32);
    NONCE_BYTES.put("Grainv1", 8);
    NONCE_BYTES.put("Grain128", 12);
  }

  /** The key. */
  final SecretKey key;

  /** Whether a vector may encrypt once only; the JDK and others see to that. */
  final boolean takesVectorOnce;

  private final String transformation;
  private final String algorithm;
  private final int bits;
  private final boolean fixed;
  private final Provider provider;

  /**
   * Makes the key.
   *
   * @param transformation algorithm, mode and padding; of a stream cipher the algorithm alone
   * @param bits length of the key, without parity
   */
  SecretInputs(String transformation, int bits, String content, Provider provider) throws GeneralSecurityException {
    this.transformation = transformation;
    this.algorithm = transformation.split("/")[0];
    this.bits = bits;
    this.fixed = Contents.isFixed(content);
    this.provider = provider;
    this.takesVectorOnce = isAuthenticated() || transformation.equals("ChaCha20");
    this.key = fixed ? Keys.fixedSecret(algorithm, bits) : Keys.seededSecret(algorithm, bits, provider);
  }

  /** Whether the cipher is an authenticated one. */
  boolean isAuthenticated() {
    return isAuthenticatedMode() || transformation.contains("Poly1305");
  }

  /** Whether a block cipher's mode is authenticated: those of providers that the JCA's names or Bouncy Castle have. */
  private boolean isAuthenticatedMode() {
    return transformation.matches("[^/]+/(GCM|CCM|EAX|OCB|GCM-SIV)/[^/]+");
  }

  /**
   * Parameters with the initialization vector, its first four bytes taken from a number where it may be used once only.
   *
   * @return null for a cipher that has none
   */
  AlgorithmParameterSpec parameters(int number) throws GeneralSecurityException {
    int length = isAuthenticated() ? 12 : NONCE_BYTES.containsKey(algorithm) ? NONCE_BYTES.get(algorithm)
        : transformation.contains("/ECB/") ? 0 : blockBytes();
    if (length == 0) {
      return null;
    }
    byte[] iv = Contents.counted(0xa0, length);
    if (!fixed) {
      new Random(1).nextBytes(iv);
    }
    for (int i = 0; i < 4 && takesVectorOnce; i++) {
      iv[i] = (byte) (number >>> 8 * i);
    }
    if (isAuthenticatedMode()) {
      return new GCMParameterSpec(128, iv);
    }
    return isAuthenticated() ? new IvParameterSpec(iv)
        : Dialect.initializationVector(algorithm, iv, key.getEncoded().length, provider);
  }

  private int blockBytes() throws GeneralSecurityException {
    return Jca.cipher(transformation, provider).getBlockSize();
  }

  /** Initialises a cipher with the key and some parameters, which may be null. */
  void init(Cipher cipher, int direction, AlgorithmParameterSpec parameters) throws GeneralSecurityException {
    if (parameters == null) {
      cipher.init(direction, key);
    } else {
      cipher.init(direction, key, parameters);
    }
  }

  /** Encrypts a text with the key and the first parameters. */
  byte[] encrypt(Cipher cipher, byte[] text) throws GeneralSecurityException {
    init(cipher, Cipher.ENCRYPT_MODE, parameters(0));
    return cipher.doFinal(text);
  }

  /**
   * A cold decryption's input: encrypted by the JDK, so that another provider has run nothing. Where the JDK lacks the
   * cipher it is the measured provider after all.
   */
  byte[] encryptElsewhere(byte[] text) throws GeneralSecurityException {
    byte[] encrypted = reference(Cipher.ENCRYPT_MODE, parameters(0), text);
    return encrypted == null ? encrypt(Jca.cipher(transformation, provider), text) : encrypted;
  }

  /** What the JDK makes of a text with this key; null where it lacks the cipher or takes no such parameters. */
  byte[] reference(int direction, AlgorithmParameterSpec parameters, byte[] text) {
    return JdkReference.cipher(transformation, direction, key, parameters, text);
  }

  /**
   * Compares the cipher with published answers, and a key that the provider made with what was asked for. With fixed
   * inputs an algorithm may have no published answer: the providers' answers are compared.
   */
  void verify(Check check) throws GeneralSecurityException {
    if (fixed) {
      KnownAnswers.verifyIfKnown(check, algorithm, provider);
      KnownAnswers.verifyStream(check, algorithm, provider);
    } else {
      KnownAnswers.verify(check, algorithm, provider);
      Keys.verify(check, algorithm, bits, key);
    }
  }

  /**
   * Compares the length of a cipher text with what the padding or the tag makes of the plain text's, and its bytes with
   * the plain text. A cipher text of a few bytes may be equal to its plain text by chance.
   */
  void verifyEncrypted(Check check, byte[] plain, byte[] encrypted) throws GeneralSecurityException {
    if (transformation.endsWith("/PKCS5Padding")) {
      int block = blockBytes();
      check.same("length of the cipher text", (plain.length / block + 1L) * block, encrypted.length);
    } else if (isAuthenticated()) {
      check.same("length of the cipher text and its tag", plain.length + 16L, encrypted.length);
    } else if (transformation.endsWith("/NoPadding")) {
      check.same("length of the cipher text", plain.length, encrypted.length);
    }
    check.that("cipher text is the plain text",
        plain.length < 8 || !Arrays.equals(plain, Arrays.copyOf(encrypted, plain.length)));
  }
}
