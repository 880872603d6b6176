package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import jcarerun.Jca;

/** Key pairs on a named elliptic curve, fresh in every fork, and what can be checked of them by the textbook. */
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
    int told = Integer.parseInt(curve.replaceFirst("^sec[pt]([0-9]+)[a-z][0-9]$", "$1"));
    check.same("length of the field in bits", told, publicKey.getParams().getCurve().getField().getFieldSize());
    check.that("public point is not the private number times the base point", publicKey.getW().equals(
        EcArithmetic.multiply(publicKey.getParams(), publicKey.getParams().getGenerator(), privateKey.getS())));
  }
}
