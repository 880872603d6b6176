package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import jcarerun.Dialect;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Param;

/** Base of the workloads with a secret key: a cipher of any kind with a fixed key and fixed initial vectors. */
public abstract class SecretCipher extends ProviderWorkload {
  /** Bytes of the initial vector of a stream cipher; block ciphers have that of a block. */
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

  /** Algorithm, mode and padding; of a stream cipher the algorithm alone. */
  @Param("AES/CBC/PKCS5Padding")
  public String transformation;

  /** Length of the key in bits, without parity. */
  @Param("128")
  public int bits;

  /** The cipher, made in the set-up. */
  protected Cipher cipher;

  private SecretKeySpec key;

  @Override
  protected String subject() {
    return transformation + ", " + bits + " bits,";
  }

  /** Makes the cipher and its key. */
  @Override
  protected void prepare() throws GeneralSecurityException {
    cipher = Jca.cipher(transformation, jca);
    key = FixedInputs.secret(algorithm(), bits);
  }

  private String algorithm() {
    return transformation.split("/")[0];
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    KnownAnswers.verifyIfKnown(check, algorithm(), jca);
    StreamAnswers.verifyIfKnown(check, algorithm(), jca);
  }

  /** Whether the cipher is an authenticated one. */
  protected final boolean isAuthenticated() {
    return transformation.contains("/GCM/") || transformation.contains("Poly1305");
  }

  /** Whether an initial vector may encrypt once only; the JDK and others see to that. */
  protected final boolean takesVectorOnce() {
    return isAuthenticated() || transformation.equals("ChaCha20");
  }

  /**
   * Parameters with the initial vector a0 a1 a2 ..., its first four bytes taken from a number.
   *
   * @return null for a cipher that has none
   */
  protected final AlgorithmParameterSpec parameters(int number) throws GeneralSecurityException {
    int length = isAuthenticated() ? 12 : NONCE_BYTES.containsKey(algorithm()) ? NONCE_BYTES.get(algorithm())
        : transformation.contains("/ECB/") ? 0 : cipher.getBlockSize();
    if (length == 0) {
      return null;
    }
    byte[] iv = counted(0xa0, length);
    for (int i = 0; i < 4 && takesVectorOnce(); i++) {
      iv[i] = (byte) (number >>> 8 * i);
    }
    if (transformation.contains("/GCM/")) {
      return new GCMParameterSpec(128, iv);
    }
    return isAuthenticated() ? new IvParameterSpec(iv)
        : Dialect.initialVector(algorithm(), iv, key.getEncoded().length, jca);
  }

  /** Initialises the cipher with the key and some parameters. */
  protected final void init(int direction, AlgorithmParameterSpec parameters) throws GeneralSecurityException {
    if (parameters == null) {
      cipher.init(direction, key);
    } else {
      cipher.init(direction, key, parameters);
    }
  }
}
