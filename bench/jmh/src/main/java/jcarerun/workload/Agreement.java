package jcarerun.workload;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECPoint;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.KeyAgreement;
import javax.crypto.interfaces.DHPublicKey;
import jcarerun.Jca;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import jcarerun.workload.KeyPairGeneration.From;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Agrees on a secret: one party's side, from its private key and the other's public one. */
public class Agreement extends ProviderWorkload {
  /** Algorithm of the key agreement. */
  @Param("ECDH")
  public String algorithm;

  /** Algorithm of the keys. */
  @Param("EC")
  public String keys;

  /** Length of the modulus, or of the curve's field, in bits; says nothing where the curve is named. */
  @Param("256")
  public int bits;

  /** Name of an elliptic curve, on which both parties get fresh pairs; {@code bits} for one fixed pair as both. */
  @Param(Keys.BY_BITS)
  public String curve;

  /** The first call that is timed, see {@link From}: getInstance or init. */
  @Param("init")
  public From from;

  private KeyAgreement agreement;
  private KeyPair own;
  private KeyPair theirs;

  @Override
  protected String subject() {
    return algorithm + ", " + (isRepeatable() ? bits + " bits" : curve) + ",";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    if (from == From.generate) {
      throw new IllegalArgumentException("from must be getInstance or init, is " + from);
    }
    agreement = from == From.init ? Jca.keyAgreement(algorithm, jca) : null;
    own = isRepeatable() ? Keys.fixedPair(keys, bits, jca) : Keys.onCurve(curve, jca);
    theirs = isRepeatable() ? own : Keys.onCurve(curve, jca);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    byte[] agreed = agree();
    if (isRepeatable()) {
      check.same("secret of the same keys again", agreed, agree());
      check.same("length of the secret in bytes", (bits + 7) / 8, agreed.length);
    } else {
      verifyParties(check, agreed);
    }
  }

  private void verifyParties(Check check, byte[] agreed) throws GeneralSecurityException {
    Keys.verifyOnCurve(check, own, curve);
    Keys.verifyOnCurve(check, theirs, curve);
    ECPublicKey publicKey = (ECPublicKey) theirs.getPublic();
    ECPoint shared = Keys.multiply(
        publicKey.getParams(), publicKey.getW(), ((ECPrivateKey) own.getPrivate()).getS());
    check.same("length of the secret in bytes", Keys.fieldBytes(publicKey.getParams()), agreed.length);
    check.that("secret isn't the x of the shared point", shared.getAffineX().equals(new BigInteger(1, agreed)));
    verifyOtherSide(check, agreed);
  }

  /** Another party's fresh pair: both sides must agree on the same secret, and on another one than before. */
  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    byte[] before = agree();
    if (!isRepeatable()) {
      theirs = Keys.onCurve(curve, jca);
      verify(check);
    } else {
      theirs = pairLike(own.getPublic());
      verifyOtherSide(check, agree());
    }
    check.that("secrets with two parties are equal", !Arrays.equals(before, agree()));
  }

  /** A pair of the same group; the name of X25519 says its group. */
  private KeyPair pairLike(PublicKey key) throws GeneralSecurityException {
    boolean named = !(key instanceof ECPublicKey || key instanceof DHPublicKey);
    KeyPairGenerator generator = Jca.keyPairGenerator(named ? algorithm : keys, jca);
    AlgorithmParameterSpec group = key instanceof ECPublicKey ? ((ECPublicKey) key).getParams()
        : key instanceof DHPublicKey ? ((DHPublicKey) key).getParams() : null;
    if (group != null) {
      generator.initialize(group);
    }
    return generator.generateKeyPair();
  }

  private void verifyOtherSide(Check check, byte[] agreed) throws GeneralSecurityException {
    KeyAgreement other = Jca.keyAgreement(algorithm, jca);
    other.init(theirs.getPrivate());
    other.doPhase(own.getPublic(), true);
    check.same("the other party's secret", agreed, other.generateSecret());
  }

  /** With the fixed pair. */
  @Override
  public boolean isRepeatable() {
    return curve.equals(Keys.BY_BITS);
  }

  @Override
  public byte[] answer() throws GeneralSecurityException {
    return isRepeatable() ? agree() : new byte[0];
  }

  /** Agrees on a secret. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation(value = "agree", given = {"from=init", "curve=bits"})
  public byte[] agree() throws GeneralSecurityException {
    KeyAgreement its = from == From.getInstance ? Jca.keyAgreement(algorithm, jca) : agreement;
    its.init(own.getPrivate());
    its.doPhase(theirs.getPublic(), true);
    return its.generateSecret();
  }
}
