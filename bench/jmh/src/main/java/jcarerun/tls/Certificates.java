package jcarerun.tls;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * Self-signed certificates of client and server with their keys, made by the JDK's own keytool.
 *
 * <p>They lie in {@code tls/<key>.p12} below the working directory, entries {@code client} and {@code server}: made by
 * the first fork of a round that needs them, and used by all later ones. The keys protect nothing. A side's context has
 * its own certificate and key, and trusts the other's certificate alone.
 */
public final class Certificates {
  static final char[] PASSWORD = "measured".toCharArray();
  /** The directory, where it isn't the working directory's {@code tls}. */
  static final String FOLDER = "jcarerun.tls";
  private static final int KEYTOOL_SECONDS = 60;

  /** Bouncy Castle's, which would write two lines for every connection; held, or its level would be forgotten. */
  private static final Logger BOUNCY_CASTLE = Logger.getLogger("org.bouncycastle.jsse");

  static {
    BOUNCY_CASTLE.setLevel(Level.OFF);
  }

  private Certificates() {}

  /**
   * The key store of a kind of key. One thread at a time, since a file's lock is the whole JVM's.
   *
   * @param key such as {@code rsa-2048}, {@code ec-256} or {@code dsa-1024}
   */
  public static synchronized KeyStore get(String key) throws IOException, GeneralSecurityException {
    Path folder = Paths.get(folder());
    Path file = folder.resolve(key + ".p12");
    Files.createDirectories(folder);
    if (!Files.exists(file)) {
      make(key, folder, file);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  static String folder() {
    return System.getProperty(FOLDER, "tls");
  }

  private static void make(String key, Path folder, Path file) throws IOException {
    List<String> kind = kind(key);
    // Unfinished under another name, so that a fork that is ended leaves no half store.
    Path part = Files.createTempDirectory("jcarerun-tls").resolve(key + ".p12");
    Path lock = folder.resolve("." + key);
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
         FileLock held = channel.lock()) {
      if (held.isValid() && !Files.exists(file)) {
        for (String alias : new String[] {"server", "client"}) {
          keytool(alias, kind, part);
        }
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(part);
      Files.deleteIfExists(part.getParent());
      Files.deleteIfExists(lock);
    }
  }

  private static List<String> kind(String key) {
    String[] parts = key.split("-");
    if (key.matches("rsa-(1024|2048|3072|4096)")) {
      return Arrays.asList("-keyalg", "RSA", "-keysize", parts[1], "-sigalg", "SHA256withRSA");
    }
    if (key.matches("ec-(256|384)")) {
      return Arrays.asList("-keyalg", "EC", "-keysize", parts[1], "-sigalg", "SHA256withECDSA");
    }
    if (key.matches("dsa-(1024|2048)")) {
      return Arrays.asList("-keyalg", "DSA", "-keysize", parts[1], "-sigalg", "SHA256withDSA");
    }
    throw new IllegalArgumentException("key must be rsa-1024, rsa-2048, rsa-3072, rsa-4096, ec-256, ec-384, dsa-1024"
        + " or dsa-2048, is " + key);
  }

  private static void keytool(String alias, List<String> kind, Path file) throws IOException {
    File tool = new File(System.getProperty("java.home"), "bin/keytool");
    String password = new String(PASSWORD);
    List<String> command = new ArrayList<>(Arrays.asList(tool.getPath(), "-genkeypair", "-alias", alias, "-dname",
        "CN=" + alias, "-validity", "3650", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass",
        password, "-keypass", password));
    command.addAll(kind);
    Path said = Files.createTempFile("jcarerun-keytool", ".txt");
    Process process = null;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
      if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("keytool did not end within " + KEYTOOL_SECONDS + " s");
      }
      if (process.exitValue() != 0) {
        throw new IllegalStateException("keytool made no certificate: "
            + new String(Files.readAllBytes(said), StandardCharsets.UTF_8).trim());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while keytool made a certificate", e);
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(said);
    }
  }

  /**
   * A context with session caches of its own.
   *
   * @param own the entry of the store that is this side's, {@code client} or {@code server}
   * @param peer the entry of the other side
   * @param provider of JSSE; null for the search order
   */
  public static SSLContext context(KeyStore store, String own, String peer, Provider provider)
      throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(own, store.getKey(own, PASSWORD), PASSWORD,
        store.getCertificateChain(own));
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(peer, store.getCertificate(peer));
    KeyManagerFactory keyManagers = keyManagers(provider);
    keyManagers.init(keys, PASSWORD);
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
