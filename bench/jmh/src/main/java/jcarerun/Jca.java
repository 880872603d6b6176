package jcarerun;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;

/** The JCA's getInstance methods for a provider that may be null, which means the JCA's search order. */
public final class Jca {
  private Jca() {}

  /** A cipher for a transformation such as {@code AES/CBC/PKCS5Padding}. */
  public static Cipher cipher(String transformation, Provider provider) throws GeneralSecurityException {
    String own = Dialect.name(transformation, provider);
    return provider == null ? Cipher.getInstance(own) : Cipher.getInstance(own, provider);
  }

  /** A generator of secret keys. */
  public static KeyGenerator keyGenerator(String algorithm, Provider provider) throws GeneralSecurityException {
    return provider == null ? KeyGenerator.getInstance(algorithm) : KeyGenerator.getInstance(algorithm, provider);
  }

  /** A generator of key pairs, see {@link #has}. */
  public static KeyPairGenerator keyPairGenerator(String algorithm, Provider provider)
      throws GeneralSecurityException {
    return has(provider, "KeyPairGenerator", algorithm)
        ? KeyPairGenerator.getInstance(algorithm, provider) : KeyPairGenerator.getInstance(algorithm);
  }

  /** A key agreement, see {@link #has}. */
  public static KeyAgreement keyAgreement(String algorithm, Provider provider) throws GeneralSecurityException {
    return has(provider, "KeyAgreement", algorithm)
        ? KeyAgreement.getInstance(algorithm, provider) : KeyAgreement.getInstance(algorithm);
  }

  /** A message digest, see {@link #has}. */
  public static MessageDigest messageDigest(String algorithm, Provider provider) throws GeneralSecurityException {
    String own = Dialect.name(algorithm, provider);
    return has(provider, "MessageDigest", own)
        ? MessageDigest.getInstance(own, provider) : MessageDigest.getInstance(own);
  }

  /** A message authentication code, see {@link #has}. */
  public static Mac mac(String algorithm, Provider provider) throws GeneralSecurityException {
    String own = Dialect.name(algorithm, provider);
    return has(provider, "Mac", own) ? Mac.getInstance(own, provider) : Mac.getInstance(own);
  }

  /** A signature, see {@link #has}. */
  public static Signature signature(String algorithm, Provider provider) throws GeneralSecurityException {
    String own = Dialect.name(algorithm, provider);
    return has(provider, "Signature", own) ? Signature.getInstance(own, provider) : Signature.getInstance(own);
  }

  /** A factory of secret keys, as from passwords, see {@link #has}. */
  public static SecretKeyFactory secretKeyFactory(String algorithm, Provider provider)
      throws GeneralSecurityException {
    return has(provider, "SecretKeyFactory", algorithm)
        ? SecretKeyFactory.getInstance(algorithm, provider) : SecretKeyFactory.getInstance(algorithm);
  }

  /** A factory of the provider's own key objects; of another's where it has none, since a key is input and no work. */
  public static KeyFactory keyFactory(String algorithm, Provider provider) throws GeneralSecurityException {
    return provider != null && provider.getService("KeyFactory", algorithm) != null
        ? KeyFactory.getInstance(algorithm, provider) : KeyFactory.getInstance(algorithm);
  }

  /**
   * Whether to ask this provider for a service, or the JCA's search order. The JDK divides its services over several
   * providers: SunJCE encrypts with RSA, SunRsaSign makes the keys, SUN hashes. So one of the installed providers may
   * be helped out by the others; a provider from a jar may not, since another's work would pass for its own.
   */
  private static boolean has(Provider provider, String service, String algorithm) {
    if (provider == null) {
      return false;
    }
    boolean installed = Security.getProvider(provider.getName()) == provider;
    return !installed || provider.getService(service, algorithm) != null;
  }
}
