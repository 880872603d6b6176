package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Encrypts and decrypts a text in memory with one call.
 *
 * <p>The cipher object is made in the set-up and initialised inside the timed call, as in Stegerer and Risse 2008.
 */
public class TextCipher extends SymmetricCipher {
  private Cipher cipher;

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    super.prepare();
    cipher = Jca.cipher(subject(), jca);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException, IOException {
    super.verify(check);
    check.same("cipher text", encrypted, encrypt());
    check.same("decrypted text", plain, decrypt());
  }

  /** Initialises and encrypts. */
  @Benchmark
  public byte[] encrypt() throws GeneralSecurityException {
    init(cipher, Cipher.ENCRYPT_MODE);
    return cipher.doFinal(plain);
  }

  /** Initialises and decrypts. */
  @Benchmark
  public byte[] decrypt() throws GeneralSecurityException {
    init(cipher, Cipher.DECRYPT_MODE);
    return cipher.doFinal(encrypted);
  }
}
