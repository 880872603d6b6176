package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.Signature;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import jcarerun.Jca;

/**
 * What the JDK's own providers give, to compare another provider's answers with. Each is null where the JDK lacks the
 * algorithm, or takes no such key.
 */
final class JdkReference {
  private JdkReference() {}

  /** Something that the JDK may lack. */
  private interface Attempt<T> {
    T make() throws GeneralSecurityException;
  }

  private static <T> T orNull(Attempt<T> attempt) {
    try {
      return attempt.make();
    } catch (GeneralSecurityException | RuntimeException e) {
      return null; // older JDKs have no EdDSA, newer ones no short curves; some take no keys of other providers
    }
  }

  static byte[] digest(String algorithm, byte[] text) {
    return orNull(() -> Jca.messageDigest(algorithm, null).digest(text));
  }

  static byte[] mac(String algorithm, SecretKey key, byte[] text) {
    return orNull(() -> {
      Mac mac = Jca.mac(algorithm, null);
      mac.init(key);
      return mac.doFinal(text);
    });
  }

  /** Encrypts or decrypts a text; {@code parameters} may be null. What can't be decrypted gives an empty text. */
  static byte[] cipher(String transformation, int direction, Key key, AlgorithmParameterSpec parameters, byte[] text) {
    return orNull(() -> {
      Cipher cipher = Jca.cipher(transformation, null);
      cipher.init(direction, threeParts(key), parameters);
      try {
        return cipher.doFinal(text);
      } catch (BadPaddingException | IllegalBlockSizeException e) {
        return direction == Cipher.DECRYPT_MODE ? new byte[0] : null;
      }
    });
  }

  /** The JDK takes a Triple-DES key of two parts only with the first once more behind them. */
  private static Key threeParts(Key key) {
    byte[] parts = key.getEncoded();
    if (!key.getAlgorithm().equals("DESede") || parts.length != 16) {
      return key;
    }
    byte[] three = Arrays.copyOf(parts, 24);
    System.arraycopy(parts, 0, three, 16, 8);
    return new SecretKeySpec(three, "DESede");
  }

  static byte[] sign(String algorithm, KeyPair pair, byte[] text) {
    return orNull(() -> {
      Signature signature = Jca.signature(algorithm, null);
      signature.initSign(pair.getPrivate());
      signature.update(text);
      return signature.sign();
    });
  }

  static Boolean takes(String algorithm, KeyPair pair, byte[] text, byte[] signed) {
    return orNull(() -> {
      Signature signature = Jca.signature(algorithm, null);
      signature.initVerify(pair.getPublic());
      signature.update(text);
      return signature.verify(signed);
    });
  }
}
