package jcarerun.workload;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Generates a key pair, RSA or EC, from getInstance to the keys, with the provider's usual source of randomness. */
public class FreshKeyPair extends Workload {
  /** RSA or EC. */
  @Param("RSA")
  public String algorithm;

  /** Length of an RSA modulus in bits. */
  @Param("2048")
  public int bits;

  /** Name of an elliptic curve over a prime field. */
  @Param("secp256r1")
  public String curve;

  @Override
  protected String subject() {
    return algorithm + " key pair generation, " + (algorithm.equals("EC") ? curve : bits + " bits") + ",";
  }

  @Override
  protected void prepare() {
    if (!algorithm.equals("RSA") && !algorithm.equals("EC")) {
      throw new IllegalArgumentException("algorithm must be RSA or EC, is " + algorithm);
    }
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    KeyPair pair = generate();
    if (algorithm.equals("RSA")) {
      verifyRsa(check, (RSAPublicKey) pair.getPublic(), (RSAPrivateKey) pair.getPrivate());
    } else {
      verifyEc(check, (ECPublicKey) pair.getPublic(), (ECPrivateKey) pair.getPrivate(), curve);
    }
    check.that("two key pairs are equal", !pair.getPublic().equals(generate().getPublic()));
  }

  private void verifyRsa(Check check, RSAPublicKey open, RSAPrivateKey secret) {
    BigInteger modulus = open.getModulus();
    check.same("length of the modulus in bits", bits, modulus.bitLength());
    BigInteger message = BigInteger.valueOf(117);
    check.that("private key doesn't undo the public one", message.equals(
        message.modPow(open.getPublicExponent(), modulus).modPow(secret.getPrivateExponent(), modulus)));
    check.that("modulus is prime", !modulus.isProbablePrime(20));
  }

  /** The field is as long as the curve's name says, and the public point is the private number times the base point. */
  static void verifyEc(Check check, ECPublicKey open, ECPrivateKey secret, String curve) {
    int told = Integer.parseInt(curve.replaceFirst("^sec[pt]([0-9]+)[a-z][0-9]$", "$1"));
    check.same("length of the field in bits", told, open.getParams().getCurve().getField().getFieldSize());
    check.that("public point is not the private number times the base point", open.getW().equals(
        EcArithmetic.multiply(open.getParams(), open.getParams().getGenerator(), secret.getS())));
  }

  /** Makes a generator and a key pair. */
  @Benchmark
  public KeyPair generate() throws GeneralSecurityException {
    KeyPairGenerator generator = Jca.keyPairGenerator(algorithm, jca);
    if (algorithm.equals("EC")) {
      generator.initialize(new ECGenParameterSpec(curve));
    } else {
      generator.initialize(bits);
    }
    return generator.generateKeyPair();
  }
}
