package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Encrypts and decrypts 117 zero bytes, the most that 1024-bit RSA takes; RSA and block ciphers on one message. */
public class ZeroBytes extends Workload {
  static final int LENGTH = 117;

  /** RSA, or the algorithm of a block cipher in CBC mode. */
  @Param("RSA")
  public String algorithm;

  /** Length of the modulus or of the key in bits. */
  @Param("1024")
  public int bits;

  private final byte[] plain = new byte[LENGTH];
  private Key encryptionKey;
  private Key decryptionKey;
  private AlgorithmParameterSpec iv;
  private Cipher cipher;
  private byte[] encrypted;

  private boolean isRsa() {
    return algorithm.equals("RSA");
  }

  @Override
  protected String subject() {
    return algorithm + (isRsa() ? "/ECB/PKCS1Padding" : "/CBC/PKCS5Padding");
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    cipher = Jca.cipher(subject(), jca);
    if (isRsa()) {
      KeyPair pair = Keys.seededPair(algorithm, bits, jca);
      encryptionKey = pair.getPublic();
      decryptionKey = pair.getPrivate();
    } else {
      encryptionKey = Keys.seededSecret(algorithm, bits, jca);
      decryptionKey = encryptionKey;
      iv = new IvParameterSpec(new byte[cipher.getBlockSize()]);
    }
    if (checksBefore() || !operation.equals("encrypt")) {
      encrypted = isCold() ? encrypt(Jca.cipher(subject(), null)) : encrypt();
    }
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    byte[] before = encrypted == null ? encrypt() : encrypted;
    encrypted = encrypt();
    if (isRsa()) {
      check.same("length of the modulus in bits", bits, ((RSAPublicKey) encryptionKey).getModulus().bitLength());
      check.same("length of the cipher text", bits / 8, encrypted.length);
      check.that("two encryptions are equal, so the padding isn't random", !Arrays.equals(before, encrypted));
    } else {
      KnownAnswers.verify(check, algorithm, jca);
      check.same("second cipher text under the same initialization vector", before, encrypted);
      check.same("length of the cipher text", (LENGTH / cipher.getBlockSize() + 1L) * cipher.getBlockSize(),
          encrypted.length);
    }
    check.same("decrypted text", plain, decrypt());
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    random.nextBytes(plain);
    encrypted = encrypt();
    check.sameAsReference("plain text", JdkReference.cipher(
        subject(), Cipher.DECRYPT_MODE, decryptionKey, iv, encrypted), plain);
    check.same("decrypted text", plain, decrypt());
  }

  /** Initialises and encrypts. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] encrypt() throws GeneralSecurityException {
    return encrypt(cipher);
  }

  /** By another provider's cipher, where the measured one must have run nothing. */
  private byte[] encrypt(Cipher by) throws GeneralSecurityException {
    by.init(Cipher.ENCRYPT_MODE, encryptionKey, iv);
    return by.doFinal(plain);
  }

  /** Initialises and decrypts. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] decrypt() throws GeneralSecurityException {
    cipher.init(Cipher.DECRYPT_MODE, decryptionKey, iv);
    return cipher.doFinal(encrypted);
  }
}
