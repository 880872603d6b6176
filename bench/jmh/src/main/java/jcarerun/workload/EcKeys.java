package jcarerun.workload;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import jcarerun.Jca;

/**
 * Key pairs on a named elliptic curve, fresh in every fork, checked by the textbook's arithmetic on curves over prime
 * fields.
 */
final class EcKeys {
  /** In place of a curve's name: the curve of that length that NIST recommends. */
  static final String BY_BITS = "bits";

  private EcKeys() {}

  /** The name of a curve that is given by name or by the length of its field. */
  static String curve(String name, int bits) {
    return name.equals(BY_BITS) ? "secp" + bits + "r1" : name;
  }

  /** Makes a pair on a named curve. */
  static KeyPair pair(String curve, Provider provider) throws GeneralSecurityException {
    KeyPairGenerator generator = Jca.keyPairGenerator("EC", provider);
    generator.initialize(new ECGenParameterSpec(curve));
    return generator.generateKeyPair();
  }

  static void verify(Check check, KeyPair pair, String curve) {
    verify(check, (ECPublicKey) pair.getPublic(), (ECPrivateKey) pair.getPrivate(), curve);
  }

  /** The field is as long as the curve's name says, and the public point is the private number times the base point. */
  static void verify(Check check, ECPublicKey publicKey, ECPrivateKey privateKey, String curve) {
    int length = Integer.parseInt(curve.replaceFirst("^sec[pt]([0-9]+)[a-z][0-9]$", "$1"));
    check.same("length of the field in bits", length, publicKey.getParams().getCurve().getField().getFieldSize());
    check.that("public point is not the private number times the base point", publicKey.getW().equals(
        multiply(publicKey.getParams(), publicKey.getParams().getGenerator(), privateKey.getS())));
  }

  /** {@code factor} times a point, by doubling and adding. */
  static ECPoint multiply(ECParameterSpec curve, ECPoint point, BigInteger factor) {
    ECPoint sum = ECPoint.POINT_INFINITY;
    for (int bit = factor.bitLength() - 1; bit >= 0; bit--) {
      sum = add(curve, sum, sum);
      if (factor.testBit(bit)) {
        sum = add(curve, sum, point);
      }
    }
    return sum;
  }

  private static ECPoint add(ECParameterSpec curve, ECPoint first, ECPoint second) {
    if (first.equals(ECPoint.POINT_INFINITY)) {
      return second;
    }
    if (second.equals(ECPoint.POINT_INFINITY)) {
      return first;
    }
    BigInteger p = ((ECFieldFp) curve.getCurve().getField()).getP();
    BigInteger x = first.getAffineX();
    BigInteger y = first.getAffineY();
    BigInteger slope;
    if (!x.equals(second.getAffineX())) {
      slope = second.getAffineY().subtract(y).multiply(second.getAffineX().subtract(x).modInverse(p));
    } else if (y.equals(second.getAffineY()) && y.signum() != 0) {
      BigInteger above = x.multiply(x).multiply(BigInteger.valueOf(3)).add(curve.getCurve().getA());
      slope = above.multiply(y.shiftLeft(1).modInverse(p));
    } else {
      return ECPoint.POINT_INFINITY;
    }
    BigInteger sumX = slope.multiply(slope).subtract(x).subtract(second.getAffineX()).mod(p);
    return new ECPoint(sumX, slope.multiply(x.subtract(sumX)).subtract(y).mod(p));
  }

  /** Length of a curve's field elements in bytes. */
  static int fieldBytes(ECParameterSpec curve) {
    return (curve.getCurve().getField().getFieldSize() + 7) / 8;
  }
}
