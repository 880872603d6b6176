package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import jcarerun.Jca;
import jcarerun.probe.Observations.Measures;
import org.openjdk.jmh.annotations.Param;

/** The chain as a real program has it: the sender wraps the fresh key with the receiver's RSA key, who unwraps it. */
@Measures({"step.generate-key", "step.create-cipher", "step.initialise", "step.encrypt", "step.create-receiver",
    "step.initialise-receiver", "step.decrypt", "step.wrap-key", "step.unwrap-key", "serialise", "deserialise",
    "part.generate-key.seeding"})
public class HybridChain extends CipherChain {
  private static final int WRAP = MORE;
  private static final int UNWRAP = MORE + 1;
  private static final String WRAPPING = "RSA/ECB/PKCS1Padding";

  /** Length of the RSA modulus in bits. */
  @Param("2048")
  public int rsaBits;

  private KeyPair pair;

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    super.prepare();
    pair = Keys.seededPair("RSA", rsaBits, jca);
  }

  @Override
  SecretKey exchange(SecretKey sent) throws GeneralSecurityException {
    Cipher cipher = Jca.cipher(WRAPPING, jca);
    cipher.init(Cipher.WRAP_MODE, pair.getPublic());
    byte[] wrapped = cipher.wrap(sent);
    steps.lap(WRAP);
    cipher = Jca.cipher(WRAPPING, jca);
    cipher.init(Cipher.UNWRAP_MODE, pair.getPrivate());
    SecretKey received = (SecretKey) cipher.unwrap(wrapped, algorithm, Cipher.SECRET_KEY);
    steps.lap(UNWRAP);
    return received;
  }
}
