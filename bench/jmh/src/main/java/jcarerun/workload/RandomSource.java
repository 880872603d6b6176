package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;

/** Sources of random numbers by name, as a parameter of workloads; a small class, since cold operations load it. */
final class RandomSource {
  /** In place of a name: the source that the provider or the JCA takes by itself. */
  static final String USUAL = "usual";

  private RandomSource() {}

  /**
   * Makes a source; null for the usual one.
   *
   * @param name of the JCA, such as SHA1PRNG, NativePRNG, DRBG, or NativePRNGBlocking, which reads /dev/random
   */
  static SecureRandom of(String name) throws GeneralSecurityException {
    return name.equals(USUAL) ? null : SecureRandom.getInstance(name);
  }
}
