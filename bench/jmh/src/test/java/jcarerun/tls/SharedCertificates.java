package jcarerun.tls;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Certificates for all tests of this JVM, made once: each kind of key takes seconds. */
public final class SharedCertificates {
  private static final Path FOLDER = Path.of("../target/test-certificates").toAbsolutePath();
  private static boolean empty;

  private SharedCertificates() {}

  /** Uses them from now on, and the old protocols: JSSE reads its security properties once. */
  public static synchronized void use() throws IOException {
    Settings.applyOldSecurity();
    Files.createDirectories(FOLDER);
    if (!empty) {
      try (DirectoryStream<Path> old = Files.newDirectoryStream(FOLDER)) {
        for (Path file : old) {
          Files.delete(file);
        }
      }
      empty = true;
    }
    System.setProperty(Certificates.FOLDER, FOLDER.toString());
  }
}
