package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import jcarerun.probe.CallClock;
import jcarerun.probe.Measures;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Calls of an operation one by one, each timed by itself, so that they can be compared with one another; see {@link
 * CallClock} for what is observed. The operation is that of the workload which measures its mean.
 */
@Measures({"calls", "calls.start", "calls.switched"})
public class SingleCalls extends ProviderWorkload {
  /** What is called. */
  public enum Call {
    /** {@link SecretKeyCipher#encrypt}. */
    encrypt,
    /** {@link Digest#digest}. */
    digest,
    /** {@link Signing#sign}, with RSA. */
    sign
  }

  private interface Operation {
    byte[] run() throws GeneralSecurityException;
  }

  /** What is called. */
  @Param("encrypt")
  public Call call;

  /** Algorithm of the digest or the signature; of a cipher with mode and padding. */
  @Param("AES/CBC/PKCS5Padding")
  public String algorithm;

  /** Length of the key in bits; 0 for a digest. */
  @Param("128")
  public int bits;

  /** Length of the text in bytes. */
  @Param("1048576")
  public int bytes;

  private final CallClock clock = new CallClock();
  private ProviderWorkload own;
  private Operation one;

  @Override
  protected boolean shrink() {
    int before = bytes;
    bytes = Math.min(bytes, WarmUp.SMALL_BYTES);
    return bytes < before;
  }

  @Override
  protected String subject() {
    return algorithm;
  }

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    switch (call) {
      case encrypt:
        SecretKeyCipher cipher = new SecretKeyCipher();
        cipher.transformation = algorithm;
        cipher.bits = bits;
        cipher.bytes = bytes;
        cipher.content = Contents.FIXED;
        cipher.init = "inside";
        one = cipher::encrypt;
        own = cipher;
        break;
      case digest:
        Digest digest = new Digest();
        digest.algorithm = algorithm;
        digest.bytes = bytes;
        digest.content = Contents.FIXED;
        one = digest::digest;
        own = digest;
        break;
      default:
        Signing signing = new Signing();
        signing.algorithm = algorithm;
        signing.keys = "RSA";
        signing.bits = bits;
        signing.bytes = bytes;
        one = signing::sign;
        own = signing;
    }
    own.provider = provider;
    own.jca = jca;
    own.prepare();
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException, IOException {
    own.verify(check);
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public byte[] answer() throws GeneralSecurityException {
    return own.answer();
  }

  /** A call, timed. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] call() throws GeneralSecurityException {
    clock.start();
    byte[] result = one.run();
    clock.stop();
    return result;
  }

  @Override
  protected void warmed(Check check) {
    clock.forget();
  }

  @Override
  protected void ended(Check check) {
    clock.observe();
  }
}
