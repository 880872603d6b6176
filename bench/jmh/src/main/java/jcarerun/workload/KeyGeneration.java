package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Generates a secret key, from getInstance to the key, with the provider's usual source of randomness. */
public class KeyGeneration extends Workload {
  /** Algorithm of the key. */
  @Param("AES")
  public String algorithm;

  /** Length of the key in bits, without parity. */
  @Param("128")
  public int bits;

  @Override
  protected String subject() {
    return algorithm + " key generation, " + bits + " bits,";
  }

  @Override
  protected void prepare() {}

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    SecretKey key = generate();
    Keys.verify(check, algorithm, bits, key);
    check.that("two keys are equal", !Arrays.equals(key.getEncoded(), generate().getEncoded()));
  }

  /** Makes a generator and a key. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public SecretKey generate() throws GeneralSecurityException {
    KeyGenerator generator = Jca.keyGenerator(algorithm, jca);
    generator.init(bits);
    return generator.generateKey();
  }
}
