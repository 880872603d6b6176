package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.DSAParams;
import java.security.interfaces.DSAPublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.DSAParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import javax.crypto.interfaces.DHPublicKey;
import jcarerun.Jca;
import jcarerun.probe.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * Generates a key pair with a generator that is there already and the provider's usual source of randomness.
 *
 * <p>Those of DSA and DH are of a fixed group: some providers would make a new one, which takes minutes, where others
 * have one ready.
 */
public class KeyPairGeneration extends ProviderWorkload {
  /** Longer moduli take seconds; their generator is tried in the timing alone, and looked at after it. */
  private static final int LONGEST_TRIED = 2048;

  /** Algorithm of the keys. */
  @Param("RSA")
  public String algorithm;

  /** Length in bits: of the modulus, or of the curve's field; 0 where the algorithm's name says it. */
  @Param("2048")
  public int bits;

  private KeyPairGenerator generator;
  private KeyPair last;

  @Override
  protected String subject() {
    return algorithm + " key pairs of " + bits + " bits";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    generator = Jca.keyPairGenerator(algorithm, jca);
    if (algorithm.equals("EC")) {
      generator.initialize(new ECGenParameterSpec("secp" + bits + "r1"));
    } else if (algorithm.equals("DSA")) {
      DSAParams group = ((DSAPublicKey) FixedInputs.pair("DSA", bits, null).getPublic()).getParams();
      generator.initialize(new DSAParameterSpec(group.getP(), group.getQ(), group.getG()));
    } else if (algorithm.equals("DH")) {
      generator.initialize(((DHPublicKey) FixedInputs.pair("DH", bits, null).getPublic()).getParams());
    } else if (bits > 0) {
      generator.initialize(bits);
    }
  }

  @Override
  protected void verify(Check check) {
    if (bits <= LONGEST_TRIED) {
      KeyPair first = generate();
      verifyLength(first);
      check.that("two key pairs are equal",
          !Arrays.equals(first.getPrivate().getEncoded(), generate().getPrivate().getEncoded()));
    }
  }

  /** The last pair of the timing. */
  @Override
  protected void discard() {
    if (last != null) {
      verifyLength(last);
    }
  }

  private void verifyLength(KeyPair pair) {
    int length = length(pair.getPublic());
    new Check(subject(), provider).same("length of the key in bits", bits == 0 ? length : bits, length);
  }

  /** Of an algorithm whose name says the length, that of the key's encoding is as good as another: it must be there. */
  private int length(PublicKey key) {
    return key instanceof RSAPublicKey ? ((RSAPublicKey) key).getModulus().bitLength()
        : key instanceof DSAPublicKey ? ((DSAPublicKey) key).getParams().getP().bitLength()
        : key instanceof DHPublicKey ? ((DHPublicKey) key).getParams().getP().bitLength()
        : key instanceof ECPublicKey ? ((ECPublicKey) key).getParams().getCurve().getField().getFieldSize()
        : bits;
  }

  /** Generates a pair. */
  @Benchmark
  @NativeOperation("generate")
  public KeyPair generate() {
    last = generator.generateKeyPair();
    return last;
  }
}
