package jcarerun.tls;

import java.io.IOException;
import java.io.InputStream;
import java.security.Security;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** What client and server must agree on before they talk. */
public final class Settings {
  /** Protocol and cipher suite by JSSE's names; a session's way; a kind of key; payload in bytes; a provider's id. */
  public final String protocol;
  public final String suite;
  public final String session;
  public final String key;
  public final int bytes;
  public final String provider;
  /** Named group of the key exchange in TLS 1.3, or {@link #ANY_GROUP}. */
  public final String group;

  /** In place of a group: those that the provider offers by itself. */
  public static final String ANY_GROUP = "any";

  /**
   * Checks and keeps them.
   *
   * @throws IllegalArgumentException in one line, naming the value and what it must be
   */
  public Settings(
      String protocol, String suite, String session, String key, int bytes, String provider, String group) {
    if (!Arrays.asList("cached", "uncached", "client-auth").contains(session)) {
      throw new IllegalArgumentException("session must be cached, uncached or client-auth, is " + session);
    }
    if (!protocol.matches("TLSv1(\\.[123])?")) {
      throw new IllegalArgumentException("protocol must be TLSv1, TLSv1.1, TLSv1.2 or TLSv1.3, is " + protocol);
    }
    if (bytes < 1 || bytes > 1 << 20) {
      throw new IllegalArgumentException("bytes must be from 1 to 1048576, is " + bytes);
    }
    if (!group.equals(ANY_GROUP) && (!protocol.equals("TLSv1.3") || HandshakeProof.groupId(group) < 0)) {
      throw new IllegalArgumentException("group must be any, or with TLSv1.3 one of " + HandshakeProof.groups()
          + ", is " + group + " with " + protocol);
    }
    this.group = group;
    this.protocol = protocol;
    this.suite = suite;
    this.session = session;
    this.key = key;
    this.bytes = bytes;
    this.provider = provider;
  }

  /**
   * Sets the security properties of old.security; must come before the JVM's first use of JSSE, which reads them once.
   */
  public static void applyOldSecurity() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Settings.class.getResourceAsStream("old.security")) {
      properties.load(in);
    }
    properties.stringPropertyNames().forEach(name -> Security.setProperty(name, properties.getProperty(name)));
  }

  /** Restricts this JVM's JSSE to the group; must come before its first use, which reads the property once. */
  public void applyGroup() {
    if (!group.equals(ANY_GROUP)) {
      System.setProperty("jdk.tls.namedGroups", group);
    }
  }

  /** Whether sessions are resumed. */
  public boolean cached() {
    return session.equals("cached");
  }

  /** Whether the client must show a certificate. */
  public boolean clientAuth() {
    return session.equals("client-auth");
  }

  /** As arguments for the server's JVM. */
  List<String> args() {
    return Arrays.asList(protocol, suite, session, key, String.valueOf(bytes), provider, group);
  }

  /** From arguments that {@link #args} made. */
  static Settings of(String[] args) {
    return new Settings(args[0], args[1], args[2], args[3], Integer.parseInt(args[4]), args[5], args[6]);
  }
}
