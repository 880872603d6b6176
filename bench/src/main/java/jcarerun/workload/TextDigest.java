package jcarerun.workload;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Hashes a text in memory with one call; the digest object is made in the set-up. */
public class TextDigest extends Workload {
  /** Algorithm of the message digest. */
  @Param("SHA-256")
  public String algorithm;

  /** Length of the text. */
  @Param("131072")
  public int bytes;

  /** Content of the text, random or text. */
  @Param({"random", "text"})
  public String content;

  private byte[] text;
  private MessageDigest digest;

  @Override
  protected String subject() {
    return algorithm;
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    text = Contents.make(content, bytes);
    digest = Jca.messageDigest(algorithm, jca);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    check.same("digest of \"abc\"", KnownAnswers.digest(check, algorithm),
        digest.digest("abc".getBytes(StandardCharsets.US_ASCII)));
    MessageDigest parts = Jca.messageDigest(algorithm, jca);
    for (byte part : text) {
      parts.update(part);
    }
    check.same("digest of the whole text against that of its bytes one by one", parts.digest(), digest());
  }

  /** Hashes the text. */
  @Benchmark
  public byte[] digest() {
    return digest.digest(text);
  }
}
