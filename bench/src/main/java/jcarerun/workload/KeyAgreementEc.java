package jcarerun.workload;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPoint;
import java.util.Arrays;
import javax.crypto.KeyAgreement;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;

/** Agrees on a secret by ECDH: one party's side, with keys that are there already. */
public class KeyAgreementEc extends EcKeys {
  @Override
  protected String subject() {
    return "ECDH on " + curve;
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    super.verify(check);
    ECPublicKey open = (ECPublicKey) theirs.getPublic();
    ECPoint shared = EcArithmetic.multiply(open.getParams(), open.getW(), ((ECPrivateKey) own.getPrivate()).getS());
    byte[] secret = agree();
    check.same("length of the secret", EcArithmetic.fieldBytes(open.getParams()), secret.length);
    check.that("secret isn't the x of the shared point", shared.getAffineX().equals(new BigInteger(1, secret)));
    KeyAgreement other = Jca.keyAgreement("ECDH", jca);
    other.init(theirs.getPrivate());
    other.doPhase(own.getPublic(), true);
    check.that("the two parties' secrets differ", Arrays.equals(secret, other.generateSecret()));
  }

  /** From getInstance to the secret. */
  @Benchmark
  public byte[] agree() throws GeneralSecurityException {
    KeyAgreement agreement = Jca.keyAgreement("ECDH", jca);
    agreement.init(own.getPrivate());
    agreement.doPhase(theirs.getPublic(), true);
    return agreement.generateSecret();
  }
}
