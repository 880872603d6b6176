package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import jcarerun.Jca;

/** Keys for measuring: drawn from a fixed seed, so that every fork works on the same key. Never use one elsewhere. */
final class Keys {
  private static final byte[] SEED = {'j', 'c', 'a', '-', 'r', 'e', 'r', 'u', 'n'};

  private Keys() {}

  /** A secret key; for DESede 112 bits are two keys, 168 are three. */
  static SecretKey secret(String algorithm, int bits, Provider provider) throws GeneralSecurityException {
    KeyGenerator generator = Jca.keyGenerator(algorithm, provider);
    generator.init(bits, seeded());
    return generator.generateKey();
  }

  /** A key pair of the given modulus length. */
  static KeyPair pair(String algorithm, int bits, Provider provider) throws GeneralSecurityException {
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
}
