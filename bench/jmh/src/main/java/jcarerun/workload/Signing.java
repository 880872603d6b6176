package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Random;
import jcarerun.Jca;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Signs a random text and verifies the signature; initialises inside the call. */
public class Signing extends ProviderWorkload {
  /** From so many bits on the JDK divides by Burnikel and Ziegler's method, which shorter keys don't warm up. */
  private static final int OTHER_DIVISION_BITS = 2560;

  /** Algorithm of the signature. */
  @Param("SHA256withRSA")
  public String algorithm;

  /** Algorithm of the keys. */
  @Param("RSA")
  public String keys;

  /** Length of the modulus, or of the curve's field, in bits; 0 for keys that the provider must make itself. */
  @Param("2048")
  public int bits;

  /** Length of the text in bytes. */
  @Param("1024")
  public int bytes;

  private byte[] text;
  private Signature signature;
  private KeyPair pair;
  private byte[] signed;

  @Override
  protected void shrink() {
    bits = keys.equals("RSA") ? Math.min(bits, bits < OTHER_DIVISION_BITS ? WarmUp.SMALL_RSA_BITS : 3072) : bits;
    bytes = Math.min(bytes, WarmUp.SMALL_BYTES);
  }

  @Override
  protected String subject() {
    return algorithm + ", " + bits + " bits,";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    text = Contents.fixed(bytes);
    signature = make();
    if (bits > 0) {
      pair = Keys.fixedPair(keys, bits, jca);
    } else {
      KeyPairGenerator generator = Jca.keyPairGenerator(keys, jca);
      pair = generator.generateKeyPair();
    }
    if (!isCold() || operation.equals("verifySignature")) {
      signed = isCold() ? signElsewhere() : sign();
    }
  }

  /** A cold verification's input: by the JDK where it can, so that another provider has run nothing. */
  private byte[] signElsewhere() throws GeneralSecurityException {
    byte[] made = JdkReference.sign(algorithm, pair, text);
    return made == null ? sign(make()) : made;
  }

  /** RSASSA-PSS has no parameters by itself. These are those of the same name in TLS 1.3, with SHA-256. */
  private Signature make() throws GeneralSecurityException {
    Signature made = Jca.signature(algorithm, jca);
    if (algorithm.equals("RSASSA-PSS")) {
      made.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
    }
    return made;
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    if (signed == null) {
      signed = sign();
    }
    check.that("its own signature isn't taken", verifySignature());
    text[0] ^= 1;
    check.that("a signature of another text is taken", !takes(signed));
    text[0] ^= 1;
    if (bits > 0 && jca != null) {
      verifyAgainstJdk(check);
    }
  }

  /** The JDK takes the provider's signature, and the provider takes the JDK's, where the JDK has the algorithm. */
  private void verifyAgainstJdk(Check check) throws GeneralSecurityException {
    byte[] theirs;
    KeyPair same;
    try {
      same = Keys.fixedPair(keys, bits, null);
      theirs = JdkReference.sign(algorithm, same, text);
    } catch (GeneralSecurityException e) {
      return; // the JDK has no such keys; the providers' answers are compared then
    }
    if (theirs != null) {
      check.that("the JDK's signature with the same key isn't taken", takes(theirs));
      check.that("its signature isn't taken by the JDK",
          Boolean.TRUE.equals(JdkReference.takes(algorithm, same, text, signed)));
    }
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    random.nextBytes(text);
    signed = sign();
    verify(check);
  }

  /** RSA's signatures with PKCS#1 padding and EdDSA's leave nothing to chance. */
  @Override
  public boolean isRepeatable() {
    return algorithm.matches("\\w+withRSA|Ed\\d+");
  }

  @Override
  public byte[] answer() {
    return isRepeatable() ? signed : new byte[0];
  }

  private boolean takes(byte[] other) throws GeneralSecurityException {
    signature.initVerify(pair.getPublic());
    signature.update(text);
    return signature.verify(other);
  }

  /** Initialises and signs. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation("sign")
  public byte[] sign() throws GeneralSecurityException {
    return sign(signature);
  }

  private byte[] sign(Signature by) throws GeneralSecurityException {
    by.initSign(pair.getPrivate());
    by.update(text);
    return by.sign();
  }

  /** Initialises and verifies. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation(value = "verify", answers = false)
  public boolean verifySignature() throws GeneralSecurityException {
    return takes(signed);
  }
}
