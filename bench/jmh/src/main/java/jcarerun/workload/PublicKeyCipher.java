package jcarerun.workload;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateKey;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.interfaces.DHPrivateKey;
import javax.crypto.interfaces.DHPublicKey;
import javax.crypto.spec.DHPrivateKeySpec;
import javax.crypto.spec.DHPublicKeySpec;
import jcarerun.Jca;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Encrypts a short text with a public key and decrypts it with the private one; initialises inside the call. */
public class PublicKeyCipher extends ProviderWorkload {
  private static final int BYTES = 32;

  /** Algorithm, mode and padding. */
  @Param("RSA/ECB/PKCS1Padding")
  public String transformation;

  /** Algorithm of the keys: RSA, EC, or DH, whose groups ElGamal's keys are in too. */
  @Param("RSA")
  public String keys;

  /** Length of the modulus, or of the curve's field, in bits. */
  @Param("2048")
  public int bits;

  /** Content of the text, fixed or message; with fixed the keys are fixed too, else the provider's own. */
  @Param(Contents.FIXED)
  public String content;

  private Cipher cipher;
  private Key publicKey;
  private Key privateKey;
  private byte[] plain;
  private byte[] encrypted;

  @Override
  protected void shrink() {
    bits = keys.equals("RSA") ? Math.min(bits, WarmUp.SMALL_RSA_BITS) : bits;
  }

  @Override
  protected String subject() {
    return transformation + ", " + bits + " bits,";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    cipher = Jca.cipher(transformation, jca);
    KeyPair pair = Contents.isFixed(content) ? Keys.fixedPair(keys, bits, jca) : Keys.seededPair(keys, bits, jca);
    publicKey = pair.getPublic();
    privateKey = pair.getPrivate();
    if (transformation.startsWith("ElGamal")) {
      KeyFactory factory = Jca.keyFactory("ElGamal", jca);
      DHPublicKey x = (DHPublicKey) publicKey;
      DHPrivateKey y = (DHPrivateKey) privateKey;
      publicKey = factory.generatePublic(new DHPublicKeySpec(x.getY(), x.getParams().getP(), x.getParams().getG()));
      privateKey = factory.generatePrivate(new DHPrivateKeySpec(y.getX(), y.getParams().getP(), y.getParams().getG()));
    }
    plain = Contents.make(content, BYTES);
    if (!isCold() || operation.equals("decrypt")) {
      encrypted = isCold() ? encryptElsewhere() : encrypt();
    }
  }

  /** A cold decryption's input: by the JDK, so that another provider has run nothing; by that one if the JDK can't. */
  private byte[] encryptElsewhere() throws GeneralSecurityException {
    byte[] made = JdkReference.cipher(transformation, Cipher.ENCRYPT_MODE, publicKey, null, plain);
    return made == null ? encrypt(Jca.cipher(transformation, jca)) : made;
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    byte[] before = encrypted == null ? encrypt() : encrypted;
    encrypted = encrypt();
    check.that("two encryptions are equal, so the padding isn't random", !Arrays.equals(before, encrypted));
    check.same("decrypted text", plain, decrypt());
    if (privateKey instanceof RSAPrivateKey) {
      BigInteger modulus = ((RSAPrivateKey) privateKey).getModulus();
      check.same("length of the modulus in bits", bits, modulus.bitLength());
      check.same("length of the cipher text", bits / 8, encrypted.length);
      if (transformation.endsWith("/PKCS1Padding")) {
        verifyBlock(check, modulus, ((RSAPrivateKey) privateKey).getPrivateExponent());
      }
    }
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    random.nextBytes(plain);
    encrypted = encrypt();
    verify(check);
    check.sameAsReference("plain text", JdkReference.cipher(
        transformation, Cipher.DECRYPT_MODE, privateKey, null, encrypted), plain);
  }

  /** Undoes the encryption by the textbook, without the provider. */
  private void verifyBlock(Check check, BigInteger modulus, BigInteger exponent) {
    byte[] block = new BigInteger(1, encrypted).modPow(exponent, modulus).toByteArray();
    // The block is 00 02, at least 8 random bytes, 00, message; BigInteger drops the leading zero.
    check.same("length of the padded block", bits / 8 - 1, block.length);
    check.same("type of the padding", 2, block[0]);
    int start = block.length - plain.length;
    check.same("byte before the message", 0, block[start - 1]);
    check.same("message in the padded block", plain, Arrays.copyOfRange(block, start, block.length));
  }

  /** Initialises and encrypts. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation("encrypt")
  public byte[] encrypt() throws GeneralSecurityException {
    return encrypt(cipher);
  }

  /** The same with nothing returned: whether JMH must see a result. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void encryptWithoutResult() throws GeneralSecurityException {
    encrypt(cipher);
  }

  private byte[] encrypt(Cipher by) throws GeneralSecurityException {
    by.init(Cipher.ENCRYPT_MODE, publicKey);
    return by.doFinal(plain);
  }

  /** Initialises and decrypts. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation(value = "decrypt", answers = false)
  public byte[] decrypt() throws GeneralSecurityException {
    cipher.init(Cipher.DECRYPT_MODE, privateKey);
    return cipher.doFinal(encrypted);
  }
}
