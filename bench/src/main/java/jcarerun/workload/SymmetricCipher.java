package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Param;

/** Base of the workloads that put a long text through a block cipher: key, initial vector, plain and encrypted text. */
public abstract class SymmetricCipher extends Workload {
  /** Algorithm of the block cipher. */
  @Param("AES")
  public String algorithm;

  /** Length of the key in bits, without parity. */
  @Param("128")
  public int bits;

  /** Mode of operation, ECB or CBC. The padding is PKCS#5. */
  @Param("ECB")
  public String mode;

  /** Length of the plain text. */
  @Param("102400")
  public int bytes;

  /** Content of the plain text, random or text. */
  @Param({"random", "text"})
  public String content;

  /** The plain text. */
  protected byte[] plain;

  /** The plain text encrypted in one call. */
  protected byte[] encrypted;

  private SecretKey key;
  private IvParameterSpec iv;

  @Override
  protected String subject() {
    return algorithm + "/" + mode + "/PKCS5Padding";
  }

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    if (!mode.equals("ECB") && !mode.equals("CBC")) {
      throw new IllegalArgumentException("mode must be ECB or CBC, is " + mode);
    }
    key = Keys.secret(algorithm, bits, jca);
    Cipher cipher = Jca.cipher(subject(), jca);
    byte[] start = new byte[cipher.getBlockSize()];
    new Random(1).nextBytes(start);
    iv = mode.equals("ECB") ? null : new IvParameterSpec(start);
    plain = Contents.make(content, bytes);
    init(cipher, Cipher.ENCRYPT_MODE);
    encrypted = cipher.doFinal(plain);
  }

  /** Initialises a cipher with the key and, where the mode has one, the initial vector. */
  protected final void init(Cipher cipher, int direction) throws GeneralSecurityException {
    cipher.init(direction, key, iv);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException, IOException {
    KnownAnswers.verify(check, algorithm, jca);
    Keys.verify(check, algorithm, bits, key);
    int blockBytes = Jca.cipher(subject(), jca).getBlockSize();
    check.same("length of the cipher text", (bytes / blockBytes + 1L) * blockBytes, encrypted.length);
    check.that("cipher text is the plain text", !Arrays.equals(plain, Arrays.copyOf(encrypted, bytes)));
  }
}
