package jcarerun.workload;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.DSAParams;
import java.security.interfaces.DSAPublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.DSAParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import javax.crypto.interfaces.DHPublicKey;
import jcarerun.Jca;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Generates a key pair with the provider's usual source of randomness.
 *
 * <p>Pairs of DSA and DH are of a fixed group: some providers would make a new group, which takes minutes.
 */
public class KeyPairGeneration extends ProviderWorkload {
  /** Algorithm of the keys. */
  @Param("RSA")
  public String algorithm;

  /** Length in bits: of the modulus, or of the curve's field; 0 where the algorithm's name says it. */
  @Param("2048")
  public int bits;

  /** Name of an elliptic curve over a prime field; {@code bits} for the secp...r1 of that length. */
  @Param(Keys.BY_BITS)
  public String curve;

  /** The first call that is timed, see {@link From}: getInstance, init or generate. */
  @Param("init")
  public From from;

  /** Whether the operation is checked before the timing or after it; after, a long key need not be made thrice. */
  @Param("before")
  public String check;

  private AlgorithmParameterSpec parameters;
  private KeyPairGenerator generator;
  private KeyPair last;

  @Override
  protected void shrink() {
    bits = algorithm.equals("RSA") ? Math.min(bits, WarmUp.SMALL_RSA_PAIR_BITS) : bits;
  }

  @Override
  protected String subject() {
    return algorithm + " key pairs, " + (algorithm.equals("EC") ? Keys.curve(curve, bits) : bits + " bits") + ",";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    if (algorithm.equals("EC")) {
      parameters = new ECGenParameterSpec(Keys.curve(curve, bits));
    } else if (algorithm.equals("DSA")) {
      DSAParams group = ((DSAPublicKey) Keys.fixedPair("DSA", bits, null).getPublic()).getParams();
      parameters = new DSAParameterSpec(group.getP(), group.getQ(), group.getG());
    } else if (algorithm.equals("DH")) {
      parameters = ((DHPublicKey) Keys.fixedPair("DH", bits, null).getPublic()).getParams();
    }
    if (from != From.getInstance) {
      generator = Jca.keyPairGenerator(algorithm, jca);
      initialize();
    }
  }

  private void initialize() throws GeneralSecurityException {
    if (parameters != null) {
      generator.initialize(parameters);
    } else if (bits > 0) {
      generator.initialize(bits);
    }
  }

  @Override
  protected boolean checksBefore() {
    if (!check.equals("before") && !check.equals("after")) {
      throw new IllegalArgumentException("check must be before or after, is " + check);
    }
    return check.equals("before") && !isCold();
  }

  /** After the timing the last pair that was timed is checked; with {@code check=after} no other one is made. */
  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    KeyPair first = last == null ? generate() : last;
    verifyPair(check, first);
    if (this.check.equals("before")) {
      check.that("two key pairs are equal",
          !Arrays.equals(first.getPrivate().getEncoded(), generate().getPrivate().getEncoded()));
    }
  }

  private void verifyPair(Check check, KeyPair pair) {
    PublicKey key = pair.getPublic();
    if (key instanceof RSAPublicKey && pair.getPrivate() instanceof RSAPrivateKey) {
      verifyRsa(check, (RSAPublicKey) key, (RSAPrivateKey) pair.getPrivate());
    } else if (key instanceof ECPublicKey && pair.getPrivate() instanceof ECPrivateKey) {
      Keys.verifyOnCurve(check, pair, Keys.curve(curve, bits));
    } else if (key instanceof DSAPublicKey) {
      check.same("length of the key in bits", bits, ((DSAPublicKey) key).getParams().getP().bitLength());
    } else if (key instanceof DHPublicKey) {
      check.same("length of the key in bits", bits, ((DHPublicKey) key).getParams().getP().bitLength());
    }
  }

  private void verifyRsa(Check check, RSAPublicKey publicKey, RSAPrivateKey privateKey) {
    BigInteger modulus = publicKey.getModulus();
    check.same("length of the key in bits", bits, modulus.bitLength());
    BigInteger message = BigInteger.valueOf(117);
    check.that("private key doesn't undo the public one", message.equals(
        message.modPow(publicKey.getPublicExponent(), modulus).modPow(privateKey.getPrivateExponent(), modulus)));
    check.that("modulus is prime", !modulus.isProbablePrime(20));
  }

  /** Generates a pair, with a generator that is there already or not. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation(value = "generate", given = {"from=init", "curve=bits"})
  public KeyPair generate() throws GeneralSecurityException {
    if (from == From.getInstance) {
      generator = Jca.keyPairGenerator(algorithm, jca);
    }
    if (from != From.generate) {
      initialize();
    }
    last = generator.generateKeyPair();
    return last;
  }

  /** Where the timed part begins: an object made or initialised before that is made in the set-up. */
  public enum From {
    /** With the factory method, so that nothing is ready. */
    getInstance,
    /** With the initialisation of an object that is there. */
    init,
    /** With the operation of an object that is initialised. */
    generate
  }
}
