package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import jcarerun.probe.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Encrypts and decrypts a random text in memory with one call, by block, stream or authenticated cipher. */
public class BulkCipher extends SecretCipher {
  /** Length of the text. */
  @Param("1048576")
  public int bytes;

  /** Whether a call initialises the cipher (inside) or finds it initialised (outside). */
  @Param("inside")
  public String init;

  private byte[] plain;
  private byte[] encrypted;
  private AlgorithmParameterSpec first;
  private boolean inside;
  private int count;
  private int direction;

  @Override
  protected String subject() {
    return super.subject() + " initialised " + init + " the call,";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    super.prepare();
    if (!init.equals("inside") && !init.equals("outside") || init.equals("outside") && takesVectorOnce()) {
      throw new IllegalArgumentException(
          "init must be inside, or outside where a vector may be used again; is " + init);
    }
    inside = init.equals("inside");
    plain = FixedInputs.text(bytes);
    first = parameters(0);
    init(Cipher.ENCRYPT_MODE, first);
    encrypted = cipher.doFinal(plain);
    direction = Cipher.ENCRYPT_MODE;
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    super.verify(check);
    check.that("cipher text is the plain text", !Arrays.equals(plain, Arrays.copyOf(encrypted, bytes)));
    byte[] again = encrypt();
    if (!takesVectorOnce()) {
      check.same("cipher text", encrypted, again);
    }
    check.same("decrypted text", plain, decrypt());
    if (isAuthenticated()) {
      verifyTag(check);
    }
  }

  private void verifyTag(Check check) throws GeneralSecurityException {
    check.same("length of the cipher text", bytes + 16L, encrypted.length);
    encrypted[0] ^= 1;
    try {
      decrypt();
      check.that("a changed cipher text is taken", false);
    } catch (GeneralSecurityException expected) {
      direction = 0;
    } finally {
      encrypted[0] ^= 1;
    }
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public byte[] answer() {
    return encrypted;
  }

  /** Encrypts the text; a cipher that takes a vector once gets another each time. */
  @Benchmark
  @NativeOperation("encrypt")
  public byte[] encrypt() throws GeneralSecurityException {
    if (inside || direction != Cipher.ENCRYPT_MODE) {
      init(Cipher.ENCRYPT_MODE, takesVectorOnce() ? parameters(++count) : first);
      direction = Cipher.ENCRYPT_MODE;
    }
    return cipher.doFinal(plain);
  }

  /** Decrypts the text. */
  @Benchmark
  @NativeOperation(value = "decrypt", answers = false)
  public byte[] decrypt() throws GeneralSecurityException {
    if (inside || direction != Cipher.DECRYPT_MODE) {
      init(Cipher.DECRYPT_MODE, first);
      direction = Cipher.DECRYPT_MODE;
    }
    return cipher.doFinal(encrypted);
  }
}
