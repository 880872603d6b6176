package jcarerun.workload;

import java.security.GeneralSecurityException;

/**
 * Base of the workloads that compare providers: inputs are the same in each, and so is what many of them give.
 *
 * <p>A round asks each of them before it is timed, with {@code jcarerun.offers}: a provider that lacks the algorithm is
 * marked so, and one whose answer differs from the others' is reported and not timed.
 */
public abstract class ProviderWorkload extends Workload {
  /**
   * What the operation gives, where it must be the same in every provider; else nothing.
   *
   * @return a cipher text, digest, code or agreed secret; empty where chance has a part in it
   */
  public byte[] answer() throws GeneralSecurityException {
    return new byte[0];
  }

  /** Fixed bytes, the same in every language: {@code first}, {@code first + 1}, ... modulo 256. */
  static byte[] counted(int first, int bytes) {
    byte[] made = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      made[i] = (byte) (first + i);
    }
    return made;
  }
}
