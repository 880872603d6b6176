package jcarerun.workload;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import javax.crypto.Cipher;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Encrypts and decrypts the 11 bytes of "hello world" with one cipher object.
 *
 * <p>The cipher object is made in the set-up and initialised inside the timed call, as in phenry 2014.
 */
public abstract class MessageCipher extends Workload {
  static final byte[] MESSAGE = "hello world".getBytes(StandardCharsets.US_ASCII);

  /** Key of {@link #encrypt}. */
  protected Key encryptionKey;

  /** Key of {@link #decrypt}. */
  protected Key decryptionKey;

  /** The message under {@link #encryptionKey}. */
  protected byte[] encrypted;

  private Cipher cipher;

  /** Sets both keys. */
  protected abstract void makeKeys() throws GeneralSecurityException;

  /** Length in bytes of the encrypted message. */
  protected abstract int encryptedLength();

  @Override
  protected void prepare() throws GeneralSecurityException {
    makeKeys();
    cipher = Jca.cipher(subject(), jca);
    encrypted = encrypt();
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    check.same("length of the cipher text", encryptedLength(), encrypted.length);
    check.same("decrypted text", MESSAGE, decrypt());
  }

  /** Initialises and encrypts. */
  @Benchmark
  public byte[] encrypt() throws GeneralSecurityException {
    cipher.init(Cipher.ENCRYPT_MODE, encryptionKey);
    return cipher.doFinal(MESSAGE);
  }

  /** Initialises and decrypts. */
  @Benchmark
  public byte[] decrypt() throws GeneralSecurityException {
    cipher.init(Cipher.DECRYPT_MODE, decryptionKey);
    return cipher.doFinal(encrypted);
  }
}
