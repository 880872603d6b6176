package jcarerun.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.util.Arrays;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** Contexts of client and server: each has its own certificate and key, and trusts the other's certificate alone. */
public final class TlsContexts {
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
    KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keyManagers.init(keys, Certificates.PASSWORD);
    TrustManagerFactory trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trustManagers.init(trusted);
    SSLContext context = provider == null ? SSLContext.getInstance("TLS") : SSLContext.getInstance("TLS", provider);
    context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
    return context;
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
