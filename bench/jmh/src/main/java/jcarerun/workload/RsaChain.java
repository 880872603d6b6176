package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.util.Random;
import javax.crypto.Cipher;
import jcarerun.Jca;
import jcarerun.probe.Observations.Measures;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * What it takes to send 117 zero bytes by RSA, from a fresh key pair to the bytes decrypted, each step timed by itself
 * as in {@link CipherChain}; initialisation stands twice, since one is with the public key and one with the private.
 *
 * <p>Nothing of it runs before it is timed, so that a fork's first operation is that of a cold JVM.
 */
@Measures({"step.generate-key", "step.create-cipher", "step.initialise-public", "step.encrypt",
    "step.initialise-private", "step.decrypt"})
public class RsaChain extends Workload {
  private static final int KEY = 0;
  private static final int CREATE = 1;
  private static final int INIT_PUBLIC = 2;
  private static final int ENCRYPT = 3;
  private static final int INIT_PRIVATE = 4;
  private static final int DECRYPT = 5;

  /** Length of the modulus in bits. */
  @Param("1024")
  public int bits;

  /** Source of the key pair's random numbers, see {@link RandomSource}; usual for the provider's own. */
  @Param(RandomSource.USUAL)
  public String random;

  private final byte[] plain = new byte[ZeroBytes.LENGTH];
  private final Steps steps = new Steps("step.generate-key", "step.create-cipher", "step.initialise-public",
      "step.encrypt", "step.initialise-private", "step.decrypt");
  private SecureRandom source;
  private KeyPair pair;
  private byte[] encrypted;
  private byte[] decrypted;

  @Override
  protected String subject() {
    return "RSA/ECB/PKCS1Padding";
  }

  @Override
  protected void prepare() {}

  @Override
  protected void verify(Check check) {}

  /** A key pair, two cipher objects, and the bytes there and back. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] roundTrip() throws GeneralSecurityException {
    steps.start();
    KeyPairGenerator generator = Jca.keyPairGenerator("RSA", jca);
    if (source == null) {
      source = RandomSource.of(random);
    }
    if (source == null) {
      generator.initialize(bits);
    } else {
      generator.initialize(bits, source);
    }
    pair = generator.generateKeyPair();
    steps.lap(KEY);
    Cipher encryption = Jca.cipher(subject(), jca);
    final Cipher decryption = Jca.cipher(subject(), jca);
    steps.lap(CREATE);
    encryption.init(Cipher.ENCRYPT_MODE, pair.getPublic());
    steps.lap(INIT_PUBLIC);
    encrypted = encryption.doFinal(plain);
    steps.lap(ENCRYPT);
    decryption.init(Cipher.DECRYPT_MODE, pair.getPrivate());
    steps.lap(INIT_PRIVATE);
    decrypted = decryption.doFinal(encrypted);
    steps.lap(DECRYPT);
    steps.done();
    return decrypted;
  }

  /** The last cipher text, under a key pair that was drawn for it, is decrypted by the JDK. */
  @Override
  protected void verifyFresh(Check check, Random fresh) {
    check.sameAsReference("plain text", JdkReference.cipher(
        subject(), Cipher.DECRYPT_MODE, pair.getPrivate(), null, encrypted), plain);
  }

  @Override
  protected void warmed() {
    steps.forget();
  }

  @Override
  protected void ended(Check check) {
    steps.observe();
    check.same("length of the modulus in bits", bits, ((RSAPublicKey) pair.getPublic()).getModulus().bitLength());
    check.same("length of the cipher text", bits / 8, encrypted.length);
    check.same("decrypted text", plain, decrypted);
  }
}
