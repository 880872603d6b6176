package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import jcarerun.probe.CallClock;
import jcarerun.probe.Measures;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Calls of an operation one by one, each timed by itself. {@link CallClock} says what is observed. The operation is
 * that of the workload which measures its mean.
 */
@Measures({"calls", "calls.start", "calls.switched"})
public class SingleCalls extends ProviderWorkload {
  /** What is called: encrypt, decrypt, digest, mac, sign, verify. */
  @Param("encrypt")
  public Call call;

  /** Algorithm of the digest, the code or the signature; of a cipher with mode and padding. */
  @Param("AES/CBC/PKCS5Padding")
  public String algorithm;

  /** Length of the key in bits; 0 for a digest. */
  @Param("128")
  public int bits;

  /** Length of the text in bytes. */
  @Param("1048576")
  public int bytes;

  private final CallClock clock = new CallClock();
  private ProviderWorkload called;

  @Override
  protected void shrink() {
    bytes = Math.min(bytes, WarmUp.SMALL_BYTES);
  }

  @Override
  protected String subject() {
    return algorithm;
  }

  @Override
  protected void prepare() throws IOException {
    called = call.workload(provider, algorithm, bits, bytes);
    called.setUp();
  }

  /** The workload that is called has checked itself, and does so again when it is torn down. */
  @Override
  protected void verify(Check check) {}

  @Override
  protected void discard() throws IOException {
    if (called != null) {
      called.tearDown();
      called = null;
    }
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public byte[] answer() throws GeneralSecurityException {
    return called.answer();
  }

  /** A call, timed. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public Object call() throws GeneralSecurityException {
    clock.start();
    Object result = call.run(called);
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
