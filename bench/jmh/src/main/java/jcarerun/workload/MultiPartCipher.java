package jcarerun.workload;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Encrypts and decrypts a text in pieces, as a program does that reads a file or a network: {@code update} for each
 * piece into a buffer of the caller's, then {@code doFinal}. Initialises inside the call. Each piece is an array of its
 * own, as a program reads it: Conscrypt copies the whole array of which a piece is a slice.
 */
public class MultiPartCipher extends ProviderWorkload {
  /** Algorithm, mode and padding; of a stream cipher the algorithm alone. */
  @Param("AES/CTR/NoPadding")
  public String transformation;

  /** Length of the key in bits, without parity. */
  @Param("256")
  public int bits;

  /** Length of the text in bytes. */
  @Param("1048576")
  public int bytes;

  /** Length of a piece in bytes. */
  @Param("16384")
  public int piece;

  private SecretInputs inputs;
  private Cipher cipher;
  private AlgorithmParameterSpec first;
  private byte[] plain;
  private byte[] encrypted;
  private byte[][] plainPieces;
  private byte[][] encryptedPieces;
  private byte[] output;
  private int count;

  @Override
  protected void shrink() {
    bytes = Math.min(bytes, 4 * piece);
  }

  @Override
  protected String subject() {
    return transformation + ", " + bits + " bits, in pieces of " + piece + " bytes,";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    if (piece < 1) {
      throw new IllegalArgumentException("piece must be 1 or more, is " + piece);
    }
    inputs = new SecretInputs(transformation, bits, Contents.FIXED, jca);
    cipher = Jca.cipher(transformation, jca);
    first = inputs.parameters(0);
    plain = Contents.fixed(bytes);
    output = new byte[piece + 64];
    encrypted = inputs.encryptElsewhere(plain);
    plainPieces = pieces(plain);
    encryptedPieces = pieces(encrypted);
  }

  private byte[][] pieces(byte[] text) {
    byte[][] made = new byte[(text.length + piece - 1) / piece][];
    for (int i = 0; i < made.length; i++) {
      made[i] = Arrays.copyOfRange(text, i * piece, Math.min((i + 1) * piece, text.length));
    }
    return made;
  }

  private AlgorithmParameterSpec lastParameters() throws GeneralSecurityException {
    return inputs.takesVectorOnce ? inputs.parameters(count) : first;
  }

  /** What the operation gives, kept whole. */
  private byte[] collect(int direction, AlgorithmParameterSpec parameters, byte[] text)
      throws GeneralSecurityException {
    ByteArrayOutputStream all = new ByteArrayOutputStream(text.length + 64);
    inputs.init(cipher, direction, parameters);
    run(pieces(text), all);
    return all.toByteArray();
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    inputs.verify(check);
    verifyText(check, encrypted);
    check.same("bytes that were encrypted", encrypted.length, encrypt());
    if (!inputs.isAuthenticated()) { // it gives no text before its tag is checked, and then more than a piece
      check.same("bytes that were decrypted", plain.length, decrypt());
    }
  }

  private void verifyText(Check check, byte[] whole) throws GeneralSecurityException {
    check.same("cipher text in pieces", whole, collect(Cipher.ENCRYPT_MODE, first, plain));
    Cipher other = Jca.cipher(transformation, jca);
    inputs.init(other, Cipher.DECRYPT_MODE, first);
    check.same("decrypted text", plain, other.doFinal(whole));
    if (!inputs.isAuthenticated()) {
      check.same("text decrypted in pieces", plain, collect(Cipher.DECRYPT_MODE, first, whole));
    }
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    random.nextBytes(plain);
    cipher = Jca.cipher(transformation, jca);
    byte[] whole = inputs.encrypt(Jca.cipher(transformation, jca), plain);
    check.sameAsReference("cipher text", inputs.reference(Cipher.ENCRYPT_MODE, first, plain), whole);
    verifyText(check, whole);
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public byte[] answer() {
    return encrypted;
  }

  private long run(byte[][] pieces, ByteArrayOutputStream all) throws GeneralSecurityException {
    long made = 0;
    for (byte[] each : pieces) {
      int n = cipher.update(each, 0, each.length, output, 0);
      made += n;
      if (all != null) {
        all.write(output, 0, n);
      }
    }
    byte[] last = cipher.doFinal();
    if (all != null) {
      all.write(last, 0, last.length);
    }
    return made + last.length;
  }

  /** Encrypts the text; returns how many bytes came out. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long encrypt() throws GeneralSecurityException {
    count++;
    inputs.init(cipher, Cipher.ENCRYPT_MODE, lastParameters());
    return run(plainPieces, null);
  }

  /** Decrypts the text; returns how many bytes came out. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long decrypt() throws GeneralSecurityException {
    inputs.init(cipher, Cipher.DECRYPT_MODE, first);
    return run(encryptedPieces, null);
  }
}
