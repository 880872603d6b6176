package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.interfaces.DHPrivateKey;
import javax.crypto.interfaces.DHPublicKey;
import javax.crypto.spec.DHPrivateKeySpec;
import javax.crypto.spec.DHPublicKeySpec;
import jcarerun.Jca;
import jcarerun.probe.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Encrypts a short random text with a public key and decrypts it with the private one; initialises inside the call. */
public class PublicKeyCipher extends ProviderWorkload {
  /** Algorithm, mode and padding. */
  @Param("RSA/ECB/PKCS1Padding")
  public String transformation;

  /** Algorithm of the keys: RSA, EC, or DH, whose groups ElGamal's keys are in too. */
  @Param("RSA")
  public String keys;

  /** Length of the modulus, or of the curve's field, in bits. */
  @Param("2048")
  public int bits;

  private static final byte[] TEXT = FixedInputs.text(32);

  private Cipher cipher;
  private Key open;
  private Key secret;
  private byte[] encrypted;

  @Override
  protected String subject() {
    return transformation + ", " + bits + " bits,";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    cipher = Jca.cipher(transformation, jca);
    KeyPair pair = FixedInputs.pair(keys, bits, jca);
    open = pair.getPublic();
    secret = pair.getPrivate();
    if (transformation.startsWith("ElGamal")) {
      KeyFactory factory = Jca.keyFactory("ElGamal", jca);
      DHPublicKey x = (DHPublicKey) open;
      DHPrivateKey y = (DHPrivateKey) secret;
      open = factory.generatePublic(new DHPublicKeySpec(x.getY(), x.getParams().getP(), x.getParams().getG()));
      secret = factory.generatePrivate(new DHPrivateKeySpec(y.getX(), y.getParams().getP(), y.getParams().getG()));
    }
    encrypted = encrypt();
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    check.same("decrypted text", TEXT, decrypt());
    check.that("two encryptions are equal, so the padding isn't random", !Arrays.equals(encrypted, encrypt()));
  }

  /** Initialises and encrypts. */
  @Benchmark
  @NativeOperation("encrypt")
  public byte[] encrypt() throws GeneralSecurityException {
    cipher.init(Cipher.ENCRYPT_MODE, open);
    return cipher.doFinal(TEXT);
  }

  /** Initialises and decrypts. */
  @Benchmark
  @NativeOperation(value = "decrypt", answers = false)
  public byte[] decrypt() throws GeneralSecurityException {
    cipher.init(Cipher.DECRYPT_MODE, secret);
    return cipher.doFinal(encrypted);
  }
}
