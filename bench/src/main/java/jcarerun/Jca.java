package jcarerun;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.Provider;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;

/** The JCA's getInstance methods for a provider that may be null, which means the JCA's search order. */
public final class Jca {
  private Jca() {}

  /** A cipher for a transformation such as {@code AES/CBC/PKCS5Padding}. */
  public static Cipher cipher(String transformation, Provider provider) throws GeneralSecurityException {
    return provider == null ? Cipher.getInstance(transformation) : Cipher.getInstance(transformation, provider);
  }

  /** A generator of secret keys. */
  public static KeyGenerator keyGenerator(String algorithm, Provider provider) throws GeneralSecurityException {
    return provider == null ? KeyGenerator.getInstance(algorithm) : KeyGenerator.getInstance(algorithm, provider);
  }

  /**
   * A generator of key pairs; from the search order where the provider has none. SunJCE, for one, encrypts with RSA
   * and leaves its keys to SunRsaSign.
   */
  public static KeyPairGenerator keyPairGenerator(String algorithm, Provider provider)
      throws GeneralSecurityException {
    return provider == null || provider.getService("KeyPairGenerator", algorithm) == null
        ? KeyPairGenerator.getInstance(algorithm)
        : KeyPairGenerator.getInstance(algorithm, provider);
  }
}
