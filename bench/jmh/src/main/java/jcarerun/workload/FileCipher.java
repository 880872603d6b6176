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
import java.security.spec.AlgorithmParameterSpec;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Encrypts and decrypts a file through cipher streams, from getInstance to the closed file.
 *
 * <p>The files lie in a directory of their own below {@code java.io.tmpdir}. Where that is a file system in memory,
 * no disk is timed.
 */
public class FileCipher extends Workload {
  private static final int BUFFER_BYTES = 8192;

  /** Algorithm of the block cipher. */
  @Param("AES")
  public String algorithm;

  /** Length of the key in bits, without parity. */
  @Param("128")
  public int bits;

  /** Mode of operation, ECB or CBC. The padding is PKCS#5. */
  @Param("ECB")
  public String mode;

  /** Length of the plain text in bytes. */
  @Param("102400")
  public int bytes;

  /** Content of the plain text, and with it whose the key is, see {@link Contents} and {@link SecretInputs}. */
  @Param({"random", "text"})
  public String content;

  private SecretInputs inputs;
  private AlgorithmParameterSpec parameters;
  private byte[] plain;
  private byte[] encrypted;
  private File plainFile;
  private File encryptedFile;
  private File outputFile;

  @Override
  protected void shrink() {
    bytes = Math.min(bytes, WarmUp.SMALL_BYTES);
  }

  @Override
  protected String subject() {
    return algorithm + "/" + mode + "/PKCS5Padding";
  }

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    if (!mode.equals("ECB") && !mode.equals("CBC")) {
      throw new IllegalArgumentException("mode must be ECB or CBC, is " + mode);
    }
    inputs = new SecretInputs(subject(), bits, content, jca);
    parameters = inputs.parameters(0);
    plain = Contents.make(content, bytes);
    File directory = Files.createTempDirectory(Paths.get(System.getProperty("java.io.tmpdir")), "jcarerun-").toFile();
    plainFile = new File(directory, "plain");
    encryptedFile = new File(directory, "encrypted");
    outputFile = new File(directory, "output");
    closing(() -> {
      for (File file : new File[] {plainFile, encryptedFile, outputFile, directory}) {
        Files.deleteIfExists(file.toPath());
      }
    });
    Files.write(plainFile.toPath(), plain);
    if (checksBefore() || !operation.equals("encrypt")) {
      makeEncrypted();
    }
  }

  private void makeEncrypted() throws GeneralSecurityException, IOException {
    encrypted = checksBefore() ? inputs.encrypt(Jca.cipher(subject(), jca), plain) : inputs.encryptElsewhere(plain);
    Files.write(encryptedFile.toPath(), encrypted);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException, IOException {
    if (encrypted == null) {
      makeEncrypted();
    }
    inputs.verify(check);
    inputs.verifyEncrypted(check, plain, encrypted);
    check.same("bytes given to the cipher stream", plain.length, encrypt());
    check.same("output of the cipher stream", encrypted, Files.readAllBytes(outputFile.toPath()));
    check.same("bytes got from the cipher stream", plain.length, decrypt());
    check.same("decrypted file", plain, Files.readAllBytes(outputFile.toPath()));
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException, IOException {
    random.nextBytes(plain);
    Files.write(plainFile.toPath(), plain);
    makeEncrypted();
    verify(check);
    check.sameAsReference("cipher text", inputs.reference(Cipher.ENCRYPT_MODE, parameters, plain), encrypted);
  }

  /** Plain file to encrypted file; returns the plain bytes written to the cipher stream. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long encrypt() throws GeneralSecurityException, IOException {
    Cipher cipher = cipher(Cipher.ENCRYPT_MODE);
    try (InputStream in = new FileInputStream(plainFile);
        OutputStream out = new CipherOutputStream(new FileOutputStream(outputFile), cipher)) {
      return copy(in, out);
    }
  }

  /** Encrypted file to plain file; returns the plain bytes written. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long decrypt() throws GeneralSecurityException, IOException {
    Cipher cipher = cipher(Cipher.DECRYPT_MODE);
    try (InputStream in = new CipherInputStream(new FileInputStream(encryptedFile), cipher);
        OutputStream out = new FileOutputStream(outputFile)) {
      return copy(in, out);
    }
  }

  private Cipher cipher(int direction) throws GeneralSecurityException {
    Cipher cipher = Jca.cipher(subject(), jca);
    cipher.init(direction, inputs.key, parameters);
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
