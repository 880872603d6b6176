package jcarerun.workload;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Encrypts and decrypts a file through cipher streams, from getInstance to the closed file.
 *
 * <p>The files lie in a directory of their own below {@code java.io.tmpdir}. Where that is a file system in memory,
 * no disk is timed.
 */
public class FileCipher extends SymmetricCipher {
  private static final int BUFFER_BYTES = 8192;

  private File directory;
  private File plainFile;
  private File encryptedFile;
  private File outputFile;

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    super.prepare();
    directory = Files.createTempDirectory(Paths.get(System.getProperty("java.io.tmpdir")), "jcarerun-").toFile();
    plainFile = new File(directory, "plain");
    encryptedFile = new File(directory, "encrypted");
    outputFile = new File(directory, "output");
    Files.write(plainFile.toPath(), plain);
    Files.write(encryptedFile.toPath(), encrypted);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException, IOException {
    super.verify(check);
    check.same("bytes given to the cipher stream", bytes, encrypt());
    check.same("output of the cipher stream", encrypted, Files.readAllBytes(outputFile.toPath()));
    check.same("bytes got from the cipher stream", bytes, decrypt());
    check.same("decrypted file", plain, Files.readAllBytes(outputFile.toPath()));
  }

  @Override
  protected void discard() throws IOException {
    if (directory != null) {
      for (File file : new File[] {plainFile, encryptedFile, outputFile, directory}) {
        Files.deleteIfExists(file.toPath());
      }
      directory = null;
    }
  }

  /** Plain file to encrypted file; returns the plain bytes written to the cipher stream. */
  @Benchmark
  public long encrypt() throws GeneralSecurityException, IOException {
    Cipher cipher = cipher(Cipher.ENCRYPT_MODE);
    try (InputStream in = new FileInputStream(plainFile);
        OutputStream out = new CipherOutputStream(new FileOutputStream(outputFile), cipher)) {
      return copy(in, out);
    }
  }

  /** Encrypted file to plain file; returns the plain bytes written. */
  @Benchmark
  public long decrypt() throws GeneralSecurityException, IOException {
    Cipher cipher = cipher(Cipher.DECRYPT_MODE);
    try (InputStream in = new CipherInputStream(new FileInputStream(encryptedFile), cipher);
        OutputStream out = new FileOutputStream(outputFile)) {
      return copy(in, out);
    }
  }

  private Cipher cipher(int direction) throws GeneralSecurityException {
    Cipher cipher = Jca.cipher(subject(), jca);
    init(cipher, direction);
    return cipher;
  }

  private static long copy(InputStream in, OutputStream out) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long copied = 0;
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      out.write(buffer, 0, read);
      copied += read;
    }
    return copied;
  }
}
