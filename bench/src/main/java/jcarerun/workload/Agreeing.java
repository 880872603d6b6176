package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import javax.crypto.KeyAgreement;
import jcarerun.Jca;
import jcarerun.probe.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Agrees on a secret from a private key and a public one; initialises inside the call. Both are of one fixed pair. */
public class Agreeing extends ProviderWorkload {
  /** Algorithm of the key agreement. */
  @Param("ECDH")
  public String algorithm;

  /** Algorithm of the keys. */
  @Param("EC")
  public String keys;

  /** Length of the modulus, or of the curve's field, in bits. */
  @Param("256")
  public int bits;

  private KeyAgreement agreement;
  private KeyPair pair;

  @Override
  protected String subject() {
    return algorithm + ", " + bits + " bits,";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    agreement = Jca.keyAgreement(algorithm, jca);
    pair = FixedInputs.pair(keys, bits, jca);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    byte[] secret = agree();
    check.same("secret of the same keys again", secret, agree());
    check.same("length of the secret in bytes", (bits + 7) / 8, secret.length);
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public byte[] answer() throws GeneralSecurityException {
    return agree();
  }

  /** Agrees on a secret. */
  @Benchmark
  @NativeOperation("agree")
  public byte[] agree() throws GeneralSecurityException {
    agreement.init(pair.getPrivate());
    agreement.doPhase(pair.getPublic(), true);
    return agreement.generateSecret();
  }
}
