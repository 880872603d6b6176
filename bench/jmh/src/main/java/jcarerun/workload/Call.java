package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import jcarerun.probe.ProbedWorkload;

/** An operation of a workload, for workloads that time it in their own way: single calls, or a study's programme. */
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
      ProviderWorkload workload = (ProviderWorkload) ProbedWorkload.of(type.getName(), parameters);
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
