package jcarerun.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** Contexts of client and server: each has its own certificate and key, and trusts the other's certificate alone. */
public final class TlsContexts {
  /** Bouncy Castle's, which would write two lines for every connection; held, or its level would be forgotten. */
  private static final Logger BOUNCY_CASTLE = Logger.getLogger("org.bouncycastle.jsse");

  static {
    BOUNCY_CASTLE.setLevel(Level.OFF);
  }

  private TlsContexts() {}

  /**
   * A context with session caches of its own.
   *
   * @param own the entry of the store that is this side's, {@code client} or {@code server}
   * @param peer the entry of the other side
   * @param provider of JSSE; null for the search order
   */
  public static SSLContext make(KeyStore store, String own, String peer, Provider provider)
      throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(own, store.getKey(own, Certificates.PASSWORD), Certificates.PASSWORD,
        store.getCertificateChain(own));
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(peer, store.getCertificate(peer));
    KeyManagerFactory keyManagers = keyManagers(provider);
    keyManagers.init(keys, Certificates.PASSWORD);
    TrustManagerFactory trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trustManagers.init(trusted);
    SSLContext context = provider == null ? SSLContext.getInstance("TLS") : SSLContext.getInstance("TLS", provider);
    // The same source for all: Bouncy Castle, given none, wants one of its own.
    context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), new SecureRandom());
    return context;
  }

  /** The provider's own where it has them, as Bouncy Castle needs; else the JDK's. */
  private static KeyManagerFactory keyManagers(Provider provider) throws GeneralSecurityException {
    boolean own = provider != null && provider.getService("KeyManagerFactory", "X.509") != null;
    return own ? KeyManagerFactory.getInstance("X.509", provider)
        : KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
  }

  /**
   * Refuses a protocol or a suite that the context hasn't.
   *
   * @throws IllegalArgumentException naming it, and what there is
   */
  public static void require(SSLContext context, Settings settings) {
    SSLParameters has = context.getSupportedSSLParameters();
    require("protocol", settings.protocol, has.getProtocols());
    require("cipher suite", settings.suite, has.getCipherSuites());
  }

  private static void require(String what, String name, String[] known) {
    if (!Arrays.asList(known).contains(name)) {
      throw new IllegalArgumentException("this JVM's JSSE provider has no " + what + ' ' + name + "; it has "
          + String.join(", ", known));
    }
  }
}
