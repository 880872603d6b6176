package jcarerun.workload;

import java.math.BigInteger;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;

/** Points of a curve y^2 = x^3 + ax + b over a prime field, by the textbook: to check providers by, never timed. */
final class EcArithmetic {
  private EcArithmetic() {}

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

  private static ECPoint add(ECParameterSpec curve, ECPoint one, ECPoint two) {
    if (one.equals(ECPoint.POINT_INFINITY)) {
      return two;
    }
    if (two.equals(ECPoint.POINT_INFINITY)) {
      return one;
    }
    BigInteger p = ((ECFieldFp) curve.getCurve().getField()).getP();
    BigInteger x = one.getAffineX();
    BigInteger y = one.getAffineY();
    BigInteger slope;
    if (!x.equals(two.getAffineX())) {
      slope = two.getAffineY().subtract(y).multiply(two.getAffineX().subtract(x).modInverse(p));
    } else if (y.equals(two.getAffineY()) && y.signum() != 0) {
      BigInteger above = x.multiply(x).multiply(BigInteger.valueOf(3)).add(curve.getCurve().getA());
      slope = above.multiply(y.shiftLeft(1).modInverse(p));
    } else {
      return ECPoint.POINT_INFINITY;
    }
    BigInteger sumX = slope.multiply(slope).subtract(x).subtract(two.getAffineX()).mod(p);
    return new ECPoint(sumX, slope.multiply(x.subtract(sumX)).subtract(y).mod(p));
  }

  /** Length of a curve's field elements in bytes. */
  static int fieldBytes(ECParameterSpec curve) {
    return (curve.getCurve().getField().getFieldSize() + 7) / 8;
  }
}
