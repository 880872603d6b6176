package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Cipher;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** ECIES on a session key of 128 bits, with the provider's own parameters: what RSA does when it wraps one. */
public class Ecies extends Workload {
  /** Name of an elliptic curve over a prime field. */
  @Param("secp256r1")
  public String curve;

  private KeyPair theirs;
  private byte[] plain;
  private byte[] encrypted;

  @Override
  protected String subject() {
    return "ECIES";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    theirs = Keys.onCurve(curve, jca);
    plain = Contents.make("random", 16);
    encrypted = encrypt();
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    Keys.verifyOnCurve(check, theirs, curve);
    byte[] before = encrypted;
    encrypted = encrypt();
    check.that("two encryptions are equal, so the ephemeral key isn't fresh", !Arrays.equals(before, encrypted));
    check.same("decrypted key", plain, decrypt());
    byte[] altered = encrypted.clone();
    altered[altered.length - 1] ^= 1;
    byte[] found = null;
    try {
      found = run(Cipher.DECRYPT_MODE, altered);
    } catch (GeneralSecurityException e) {
      return;
    }
    check.that("an altered cipher text is taken for a whole one", found == null);
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    random.nextBytes(plain);
    verify(check);
  }

  private byte[] run(int direction, byte[] text) throws GeneralSecurityException {
    Cipher cipher = Jca.cipher("ECIES", jca);
    cipher.init(direction, direction == Cipher.ENCRYPT_MODE ? theirs.getPublic() : theirs.getPrivate());
    return cipher.doFinal(text);
  }

  /** From getInstance to the cipher text. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] encrypt() throws GeneralSecurityException {
    return run(Cipher.ENCRYPT_MODE, plain);
  }

  /** From getInstance to the key. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] decrypt() throws GeneralSecurityException {
    return run(Cipher.DECRYPT_MODE, encrypted);
  }
}
