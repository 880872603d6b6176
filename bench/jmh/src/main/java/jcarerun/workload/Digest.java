package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Random;
import jcarerun.Jca;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Hashes a text in memory with one call; the digest object, which has no initialisation, is made in the set-up. */
public class Digest extends ProviderWorkload {
  /** Algorithm of the message digest. */
  @Param("SHA-256")
  public String algorithm;

  /** Length of the text in bytes. */
  @Param("1048576")
  public int bytes;

  /** Content of the text, see {@link Contents}. */
  @Param(Contents.FIXED)
  public String content;

  private byte[] text;
  private MessageDigest digest;

  @Override
  protected void shrink() {
    bytes = Math.min(bytes, WarmUp.SMALL_BYTES);
  }

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
    KnownAnswers.verifyDigest(check, algorithm, digest);
    byte[] whole = digest();
    MessageDigest parts = Jca.messageDigest(algorithm, jca);
    for (byte part : text) {
      parts.update(part);
    }
    check.same("digest of the whole text against that of its bytes one by one", parts.digest(), whole);
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    random.nextBytes(text);
    verify(check);
    check.sameAsReference("digest", JdkReference.digest(algorithm, text), digest());
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public byte[] answer() {
    return digest();
  }

  /** Hashes the text. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation("digest")
  public byte[] digest() {
    return digest.digest(text);
  }
}
