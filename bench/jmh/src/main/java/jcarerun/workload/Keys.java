package jcarerun.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import jcarerun.Jca;

/**
 * Keys for measuring, and their checks. Never use one elsewhere.
 *
 * <p>Fixed keys are the same for every provider and for native code; their pairs lie in PEM beside the classes, made
 * once with OpenSSL: {@code RSA-2048.pem} holds the private key (PKCS#8) and the public one (X.509). Seeded keys are
 * the provider's own, the same in every fork. Pairs on a named elliptic curve are fresh in every fork, and checked by
 * the textbook's arithmetic on curves over prime fields.
 */
final class Keys {
  /** In place of a curve's name: the curve of that length that NIST recommends. */
  static final String BY_BITS = "bits";

  private static final byte[] SEED = {'j', 'c', 'a', '-', 'r', 'e', 'r', 'u', 'n'};

  private Keys() {}

  /**
   * The key 01 02 03 ...; of DES and Triple-DES with the last bit of each byte set for odd parity, and of Triple-DES
   * with 112 bits the first of two keys again as the third.
   */
  static SecretKeySpec fixedSecret(String algorithm, int bits) {
    boolean des = algorithm.startsWith("DES");
    byte[] key = Contents.counted(1, des ? (bits + 6) / 7 : bits / 8);
    for (int i = 0; des && i < key.length; i++) {
      key[i] = (byte) (Integer.bitCount(key[i] & 0xfe) % 2 == 0 ? key[i] | 1 : key[i] & 0xfe);
    }
    if (algorithm.equals("DESede") && bits == 112) {
      byte[] two = key;
      key = Arrays.copyOf(two, 24);
      System.arraycopy(two, 0, key, 16, 8);
    }
    return new SecretKeySpec(key, algorithm);
  }

  /** A fixed pair as the provider's own objects; InvalidKeySpecException where there is none of that length. */
  static KeyPair fixedPair(String algorithm, int bits, Provider provider) throws GeneralSecurityException {
    KeyFactory factory = Jca.keyFactory(algorithm, provider);
    String name = algorithm + '-' + bits + ".pem";
    PublicKey publicKey = factory.generatePublic(new X509EncodedKeySpec(part(name, "PUBLIC KEY")));
    PrivateKey privateKey = factory.generatePrivate(new PKCS8EncodedKeySpec(part(name, "PRIVATE KEY")));
    return new KeyPair(publicKey, privateKey);
  }

  private static byte[] part(String name, String label) throws InvalidKeySpecException {
    String text = read(name);
    String begin = "-----BEGIN " + label + "-----";
    int from = text.indexOf(begin) + begin.length();
    return Base64.getMimeDecoder().decode(text.substring(from, text.indexOf("-----END " + label, from)));
  }

  private static String read(String name) throws InvalidKeySpecException {
    try (InputStream in = Keys.class.getResourceAsStream("/jcarerun/keys/" + name)) {
      if (in == null) {
        throw new InvalidKeySpecException("there is no fixed key pair " + name);
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] block = new byte[4096];
      for (int n = in.read(block); n > 0; n = in.read(block)) {
        all.write(block, 0, n);
      }
      return new String(all.toByteArray(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new InvalidKeySpecException(name + " can't be read: " + e, e);
    }
  }

  /** A seeded secret key; for DESede 112 bits are two keys, 168 are three. */
  static SecretKey seededSecret(String algorithm, int bits, Provider provider) throws GeneralSecurityException {
    KeyGenerator generator = Jca.keyGenerator(algorithm, provider);
    generator.init(bits, seeded());
    return generator.generateKey();
  }

  /** A seeded key pair of the given modulus length. */
  static KeyPair seededPair(String algorithm, int bits, Provider provider) throws GeneralSecurityException {
    KeyPairGenerator generator = Jca.keyPairGenerator(algorithm, provider);
    generator.initialize(bits, seeded());
    return generator.generateKeyPair();
  }

  /** Compares a secret key with what was asked for: algorithm, length, and the number of keys in a Triple-DES key. */
  static void verify(Check check, String algorithm, int bits, SecretKey key) {
    check.that("key is for " + key.getAlgorithm(), key.getAlgorithm().equalsIgnoreCase(algorithm));
    byte[] bytes = key.getEncoded();
    if (algorithm.equals("DESede")) {
      verifyTripleDes(check, bits, bytes);
    } else {
      // A DES key carries a parity bit in each byte.
      check.same("length of the key in bytes", algorithm.equals("DES") ? 8 : bits / 8, bytes.length);
    }
  }

  /** Two-key Triple-DES uses the first key again as the third; SunJCE writes it out, Bouncy Castle doesn't. */
  private static void verifyTripleDes(Check check, int bits, byte[] bytes) {
    check.that("key has " + bytes.length + " bytes", bytes.length == 24 || bits == 112 && bytes.length == 16);
    byte[] first = Arrays.copyOfRange(bytes, 0, 8);
    check.that("first and second key are equal", !Arrays.equals(first, Arrays.copyOfRange(bytes, 8, 16)));
    boolean twoKeys = bytes.length == 16 || Arrays.equals(first, Arrays.copyOfRange(bytes, 16, 24));
    check.that("first and third key must " + (bits == 112 ? "be equal" : "differ"), twoKeys == (bits == 112));
  }

  private static SecureRandom seeded() throws GeneralSecurityException {
    SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
    // Seeding before first use makes SHA1PRNG deterministic.
    random.setSeed(SEED);
    return random;
  }

  /** The name of a curve that is given by name or by the length of its field. */
  static String curve(String name, int bits) {
    return name.equals(BY_BITS) ? "secp" + bits + "r1" : name;
  }

  /** Makes a pair on a named curve. */
  static KeyPair onCurve(String curve, Provider provider) throws GeneralSecurityException {
    KeyPairGenerator generator = Jca.keyPairGenerator("EC", provider);
    generator.initialize(new ECGenParameterSpec(curve));
    return generator.generateKeyPair();
  }

  /** The field is as long as the curve's name says, and the public point is the private number times the base point. */
  static void verifyOnCurve(Check check, KeyPair pair, String curve) {
    ECPublicKey publicKey = (ECPublicKey) pair.getPublic();
    ECPrivateKey privateKey = (ECPrivateKey) pair.getPrivate();
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
