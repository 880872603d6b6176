package jcarerun;

import java.lang.reflect.InvocationTargetException;
import java.security.InvalidAlgorithmParameterException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.crypto.spec.IvParameterSpec;

/**
 * Where a provider differs from the JCA's standard names and parameters; for every other provider nothing changes.
 *
 * <p>Ours are the names of the JCA's Standard Algorithm Names where there is one, else Bouncy Castle's.
 */
public final class Dialect {
  /** JCA name of a provider, a space, the standard name in small letters; to the provider's own name. */
  private static final Map<String, String> NAMES = new HashMap<>();

  static {
    // Bouncy Castle calls the cipher of RFC 7539 by its number; its ChaCha is Bernstein's first, with another nonce.
    name("BC", "ChaCha20", "ChaCha7539");
    name("BC", "ARCFOUR", "ARC4");
    name("Conscrypt", "ARCFOUR", "ARC4");
    name("Conscrypt", "ChaCha20-Poly1305", "ChaCha20/Poly1305/NoPadding");
    // It has one signature for all parameter sets, which the key says.
    name("AmazonCorrettoCryptoProvider", "ML-DSA-44", "ML-DSA");
    name("AmazonCorrettoCryptoProvider", "ML-DSA-65", "ML-DSA");
    name("AmazonCorrettoCryptoProvider", "ML-DSA-87", "ML-DSA");
    name("GNU-CRYPTO", "PKCS5Padding", "PKCS7");
    name("GNU-CRYPTO", "DESede", "TripleDES");
    name("GNU-CRYPTO", "SHA-1", "SHA-160");
    name("GNU-CRYPTO", "HmacMD5", "HMAC-MD5");
    name("GNU-CRYPTO", "HmacSHA1", "HMAC-SHA160");
    name("GNU-CRYPTO", "HmacSHA256", "HMAC-SHA256");
    name("GNU-CRYPTO", "HmacSHA384", "HMAC-SHA384");
    name("GNU-CRYPTO", "HmacSHA512", "HMAC-SHA512");
    name("GNU-CRYPTO", "HmacRIPEMD160", "HMAC-RIPEMD160");
    name("GNU-CRYPTO", "HmacTiger", "HMAC-TIGER");
    name("GNU-CRYPTO", "HmacWhirlpool", "HMAC-WHIRLPOOL");
  }

  private Dialect() {}

  private static void name(String provider, String standard, String own) {
    NAMES.put(key(provider, standard), own);
  }

  private static String key(String provider, String standard) {
    return provider + ' ' + standard.toLowerCase(Locale.ROOT);
  }

  /** What the provider (null for the JCA's search order) calls an algorithm or a transformation, part by part. */
  public static String name(String standard, Provider provider) {
    if (provider == null) {
      return standard;
    }
    StringBuilder own = new StringBuilder();
    for (String part : standard.split("/")) {
      own.append(own.length() == 0 ? "" : "/").append(NAMES.getOrDefault(key(provider.getName(), part), part));
    }
    return own.toString();
  }

  /**
   * The parameters of a cipher that takes an initialization vector.
   *
   * @param keyBytes length of the key, which GNU Crypto wants to know too
   */
  public static AlgorithmParameterSpec initializationVector(
      String algorithm, byte[] iv, int keyBytes, Provider provider) throws InvalidAlgorithmParameterException {
    if (provider != null && provider.getName().equals("GNU-CRYPTO")) {
      return made(provider.getClass().getClassLoader(), "gnu.crypto.jce.spec.BlockCipherParameterSpec",
          new Class<?>[] {byte[].class, int.class, int.class}, iv, iv.length, keyBytes);
    }
    if (algorithm.equals("ChaCha20") && (provider == null || provider.getName().equals("SunJCE"))) {
      // Of JDK 11 and later. The others begin to count at 0 by themselves.
      return made(ClassLoader.getSystemClassLoader(), "javax.crypto.spec.ChaCha20ParameterSpec",
          new Class<?>[] {byte[].class, int.class}, iv, 0);
    }
    return new IvParameterSpec(iv);
  }

  private static AlgorithmParameterSpec made(ClassLoader loader, String name, Class<?>[] types, Object... values)
      throws InvalidAlgorithmParameterException {
    try {
      Class<?> type = Class.forName(name, true, loader);
      return (AlgorithmParameterSpec) type.getConstructor(types).newInstance(values);
    } catch (InvocationTargetException e) {
      throw new InvalidAlgorithmParameterException(name + ": " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new InvalidAlgorithmParameterException("there is no " + name, e);
    }
  }
}
