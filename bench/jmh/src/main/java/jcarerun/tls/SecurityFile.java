package jcarerun.tls;

import java.io.IOException;
import java.io.InputStream;
import java.security.Security;
import java.util.Properties;

/** The security properties of client and server, from the resource {@code old.security}. */
public final class SecurityFile {
  private SecurityFile() {}

  /** Sets them; must come before the JVM's first use of JSSE, which reads them once. */
  public static void apply() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = SecurityFile.class.getResourceAsStream("old.security")) {
      properties.load(in);
    }
    properties.stringPropertyNames().forEach(name -> Security.setProperty(name, properties.getProperty(name)));
  }
}
