package jcarerun.adapter;

import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;

/**
 * Cryptix 3.2 as a JCA provider: its ciphers have an API of their own, {@code xjava.security}, from before the
 * JCE.
 *
 * <p>Its HMACs, signatures and asymmetric ciphers take keys and parameters that the JCA can't express; they are left
 * out.
 */
public final class CryptixProvider extends Provider {
  private static final long serialVersionUID = 1;

  private static final String[][] CIPHERS = {
    {"AES", "Rijndael"}, {"DES", "DES"}, {"DESede", "DES-EDE3"}, {"Blowfish", "Blowfish"}, {"CAST5", "CAST5"},
    {"IDEA", "IDEA"}, {"RC2", "RC2"}, {"ARCFOUR", "RC4"},
  };
  private static final String[][] DIGESTS = {{"MD5", "MD5"}, {"SHA-1", "SHA1"}, {"RIPEMD160", "RIPEMD160"}};

  /**
   * Finds the library.
   *
   * @param library a class loader that has Cryptix' jar
   */
  @SuppressWarnings("deprecation") // the constructor that JDK 8 has
  public CryptixProvider(ClassLoader library) throws ReflectiveOperationException {
    super("CryptixAdapter", 3.2, "Cryptix 3.2 behind the JCA's classes");
    Provider own = (Provider) library.loadClass("cryptix.provider.Cryptix").getConstructor().newInstance();
    // xjava.security looks its own provider up in the JCA's list.
    Security.addProvider(own);
    for (String[] names : CIPHERS) {
      putService(new Made(this, "Cipher", names[0], () -> new CryptixCipher(library, names[1])));
    }
    for (String[] names : DIGESTS) {
      Class<?> type = library.loadClass("cryptix.provider.md." + names[1]);
      putService(new Made(this, "MessageDigest", names[0], () -> type.getConstructor().newInstance()));
    }
  }

  private interface Maker {
    Object make() throws ReflectiveOperationException, GeneralSecurityException;
  }

  /** A service whose objects aren't made from a class name alone. */
  private static final class Made extends Service {
    private final Maker maker;

    Made(Provider provider, String type, String algorithm, Maker maker) {
      super(provider, type, algorithm, algorithm, null, null);
      this.maker = maker;
    }

    @Override
    public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
      try {
        return maker.make();
      } catch (ReflectiveOperationException | GeneralSecurityException e) {
        throw new NoSuchAlgorithmException(getAlgorithm() + ": " + e, e);
      }
    }
  }
}
