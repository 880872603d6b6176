package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Param;

/** Base of the workloads on elliptic curves: two checked key pairs on one curve. */
public abstract class EcKeys extends Workload {
  /** Name of an elliptic curve over a prime field. */
  @Param("secp256r1")
  public String curve;

  /** One party's keys. */
  protected KeyPair own;

  /** The other party's keys. */
  protected KeyPair theirs;

  @Override
  protected void prepare() throws GeneralSecurityException {
    KeyPairGenerator generator = Jca.keyPairGenerator("EC", jca);
    generator.initialize(new ECGenParameterSpec(curve));
    own = generator.generateKeyPair();
    theirs = generator.generateKeyPair();
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    for (KeyPair pair : new KeyPair[] {own, theirs}) {
      FreshKeyPair.verifyEc(check, (ECPublicKey) pair.getPublic(), (ECPrivateKey) pair.getPrivate(), curve);
    }
  }
}
