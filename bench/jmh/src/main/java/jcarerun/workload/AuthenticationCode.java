package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import jcarerun.Jca;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Makes a message authentication code of a random text with one call. */
public class AuthenticationCode extends ProviderWorkload {
  /** Algorithm of the code. */
  @Param("HmacSHA256")
  public String algorithm;

  /** Length of the key in bits. */
  @Param("128")
  public int bits;

  /** Length of the text in bytes. */
  @Param("1048576")
  public int bytes;

  /** Whether a call initialises the code with the key (inside) or finds it initialised (outside). */
  @Param("inside")
  public String init;

  private byte[] text;
  private SecretKey key;
  private Mac mac;
  private boolean inside;

  @Override
  protected void shrink() {
    bytes = Math.min(bytes, WarmUp.SMALL_BYTES);
  }

  @Override
  protected String subject() {
    return algorithm;
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    if (!init.equals("inside") && !init.equals("outside")) {
      throw new IllegalArgumentException("init must be inside or outside, is " + init);
    }
    inside = init.equals("inside");
    text = Contents.fixed(bytes);
    key = Keys.fixedSecret("Hmac", bits);
    mac = Jca.mac(algorithm, jca);
    mac.init(key);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    verifyDigest(check);
    byte[] whole = mac();
    check.same("code of the same text again", whole, mac());
    text[0] ^= 1;
    check.that("code of another text is the same", !Arrays.equals(whole, mac()));
    text[0] ^= 1;
  }

  /** A code can't be right over a wrong digest. */
  private void verifyDigest(Check check) {
    String name = algorithm.replaceFirst("^Hmac", "").replaceFirst("^SHA(?=\\d{3}|1$)", "SHA-");
    MessageDigest digest;
    try {
      digest = Jca.messageDigest(name, jca);
    } catch (GeneralSecurityException e) {
      return; // the provider has the code alone
    }
    KnownAnswers.verifyDigest(check, name, digest);
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    random.nextBytes(text);
    verify(check);
    check.sameAsReference("code", JdkReference.mac(algorithm, key, text), mac());
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public byte[] answer() throws GeneralSecurityException {
    return mac();
  }

  /** Makes the code of the text. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation("hmac")
  public byte[] mac() throws GeneralSecurityException {
    if (inside) {
      mac.init(key);
    }
    return mac.doFinal(text);
  }
}
