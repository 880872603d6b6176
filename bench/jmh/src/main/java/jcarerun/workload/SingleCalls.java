package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import jcarerun.probe.CallClock;
import jcarerun.probe.Observations.Measures;
import jcarerun.probe.ProbedWorkload;
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
    closing(called::tearDown);
    called.setUp();
  }

  /** The workload that is called has checked itself, and does so again when it is torn down. */
  @Override
  protected void verify(Check check) {}

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
  protected void warmed() {
    clock.forget();
  }

  @Override
  protected void ended(Check check) {
    clock.observe();
  }

  /** An operation of a workload, to be timed call by call. */
  public enum Call {
    /** {@link SecretKeyCipher#encrypt}. */
    encrypt(SecretKeyCipher.class, workload -> ((SecretKeyCipher) workload).encrypt()),
    /** {@link SecretKeyCipher#decrypt}. */
    decrypt(SecretKeyCipher.class, workload -> ((SecretKeyCipher) workload).decrypt()),
    /** {@link Digest#digest}. */
    digest(Digest.class, workload -> ((Digest) workload).digest()),
    /** {@link AuthenticationCode#mac}. */
    mac(AuthenticationCode.class, workload -> ((AuthenticationCode) workload).mac()),
    /** {@link Signing#sign}. */
    sign(Signing.class, workload -> ((Signing) workload).sign()),
    /** {@link Signing#verifySignature}. */
    verify(Signing.class, workload -> ((Signing) workload).verifySignature());

    private interface Operation {
      Object run(Workload workload) throws GeneralSecurityException;
    }

    private final Class<? extends ProviderWorkload> type;
    private final Operation operation;

    Call(Class<? extends ProviderWorkload> type, Operation operation) {
      this.type = type;
      this.operation = operation;
    }

    /**
     * A workload that has this operation, not yet set up.
     *
     * @param algorithm of a cipher with mode and padding
     * @param bits length of the key; says nothing of a digest
     * @param bytes length of the text
     */
    ProviderWorkload workload(String provider, String algorithm, int bits, int bytes) {
      Map<String, String> parameters = new HashMap<>();
      parameters.put("provider", provider);
      parameters.put("algorithm", algorithm);
      parameters.put("transformation", algorithm);
      parameters.put("keys", algorithm.endsWith("withECDSA") ? "EC" : algorithm.replaceFirst(".*with", ""));
      parameters.put("bits", String.valueOf(bits));
      parameters.put("bytes", String.valueOf(bytes));
      try {
        ProviderWorkload workload = ProbedWorkload.make(type, parameters);
        workload.operation = this == verify ? "verifySignature" : name();
        return workload;
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(type + " can't be made: " + e, e);
      }
    }

    /** Runs the operation once. */
    Object run(Workload workload) throws GeneralSecurityException {
      return operation.run(workload);
    }
  }
}
