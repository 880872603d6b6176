package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Random;
import javax.crypto.Cipher;
import jcarerun.Jca;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Encrypts and decrypts a text in memory with one call, by block, stream or authenticated cipher. The cipher object is
 * made in the set-up.
 */
public class SecretKeyCipher extends ProviderWorkload {
  /** Algorithm, mode and padding; of a stream cipher the algorithm alone. */
  @Param("AES/CBC/PKCS5Padding")
  public String transformation;

  /** Length of the key in bits, without parity. */
  @Param("128")
  public int bits;

  /** Length of the text in bytes, unless its content says it. */
  @Param("1048576")
  public int bytes;

  /** Content of the text, and with it whose the key is, see {@link Contents} and {@link SecretInputs}. */
  @Param(Contents.FIXED)
  public String content;

  /** Whether a call initialises the cipher (inside) or finds it initialised (outside). */
  @Param("inside")
  public String init;

  private SecretInputs inputs;
  private Cipher cipher;
  private byte[] plain;
  private byte[] encrypted;
  private AlgorithmParameterSpec first;
  private boolean inside;
  private boolean once;
  private int count;
  private int direction;

  /**
   * Galois counter mode takes another path up to 8 KB, and from 64 KB on (JDK 17) it gives a text to the cipher in six
   * parts.
   */
  @Override
  protected void shrink() {
    int galois = bytes > 65_536 ? 69_632 : 8192;
    bytes = Math.min(bytes, transformation.contains("/GCM/") ? galois : WarmUp.SMALL_BYTES);
  }

  @Override
  protected String subject() {
    return transformation + ", " + bits + " bits, initialised " + init + " the call,";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    inputs = new SecretInputs(transformation, bits, content, jca);
    once = inputs.takesVectorOnce;
    if (!init.equals("inside") && !init.equals("outside") || init.equals("outside") && once) {
      throw new IllegalArgumentException(
          "init must be inside, or outside where a vector may be used again; is " + init);
    }
    inside = init.equals("inside");
    cipher = Jca.cipher(transformation, jca);
    plain = Contents.make(content, bytes);
    first = inputs.parameters(0);
    if (!isCold()) {
      encryptFirst();
    } else if (operation.equals("decrypt")) {
      encrypted = inputs.encryptElsewhere(plain);
    } else if (!inside) {
      inputs.init(cipher, Cipher.ENCRYPT_MODE, first);
      direction = Cipher.ENCRYPT_MODE;
    }
  }

  private void encryptFirst() throws GeneralSecurityException {
    encrypted = inputs.encrypt(cipher, plain);
    direction = Cipher.ENCRYPT_MODE;
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    if (encrypted == null) {
      encryptFirst();
    }
    inputs.verify(check);
    inputs.verifyEncrypted(check, plain, encrypted);
    byte[] again = encrypt();
    if (once) {
      check.same("decrypted text", plain, decryptLast(again));
    } else {
      check.same("cipher text", encrypted, again);
    }
    check.same("decrypted text", plain, decrypt());
    if (inputs.isAuthenticated()) {
      verifyTag(check);
    }
  }

  private void verifyTag(Check check) throws GeneralSecurityException {
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
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    random.nextBytes(plain);
    encrypted = encrypt();
    check.sameAsReference("cipher text", inputs.reference(Cipher.ENCRYPT_MODE, lastParameters(), plain), encrypted);
    check.same("decrypted text", plain, decryptLast(encrypted));
    encrypted = inputs.encrypt(Jca.cipher(transformation, jca), plain);
    check.same("decrypted text", plain, decrypt());
  }

  private AlgorithmParameterSpec lastParameters() throws GeneralSecurityException {
    return once ? inputs.parameters(count) : first;
  }

  /** Decrypts what was encrypted last. By another object: some refuse to go back to a vector that they have used. */
  private byte[] decryptLast(byte[] text) throws GeneralSecurityException {
    Cipher other = Jca.cipher(transformation, jca);
    inputs.init(other, Cipher.DECRYPT_MODE, lastParameters());
    return other.doFinal(text);
  }

  /** A key that the provider made differs from the others'. */
  @Override
  public boolean isRepeatable() {
    return Contents.isFixed(content);
  }

  @Override
  public byte[] answer() {
    return isRepeatable() ? encrypted : new byte[0];
  }

  /** Encrypts the text; a cipher that takes a vector once gets another each time. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation("encrypt")
  public byte[] encrypt() throws GeneralSecurityException {
    return encryptText();
  }

  /** The same with nothing returned: whether JMH must see a result. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void encryptWithoutResult() throws GeneralSecurityException {
    encryptText();
  }

  private byte[] encryptText() throws GeneralSecurityException {
    if (inside || direction != Cipher.ENCRYPT_MODE) {
      inputs.init(cipher, Cipher.ENCRYPT_MODE, once ? inputs.parameters(++count) : first);
      direction = Cipher.ENCRYPT_MODE;
    }
    return cipher.doFinal(plain);
  }

  /** Decrypts the text. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation(value = "decrypt", answers = false)
  public byte[] decrypt() throws GeneralSecurityException {
    if (inside || direction != Cipher.DECRYPT_MODE) {
      inputs.init(cipher, Cipher.DECRYPT_MODE, first);
      direction = Cipher.DECRYPT_MODE;
    }
    return cipher.doFinal(encrypted);
  }
}
