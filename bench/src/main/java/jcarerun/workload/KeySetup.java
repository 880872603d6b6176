package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import jcarerun.probe.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;

/** Sets a secret key up: initialises a cipher that is there already, which makes the key schedule. */
public class KeySetup extends SecretCipher {
  private static final byte[] TEXT = FixedInputs.text(64);

  private AlgorithmParameterSpec parameters;
  private int count;

  @Override
  protected void prepare() throws GeneralSecurityException {
    super.prepare();
    parameters = parameters(0);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    super.verify(check);
    byte[] encrypted = init().doFinal(TEXT);
    init(Cipher.DECRYPT_MODE, takesVectorOnce() ? parameters(count) : parameters);
    check.same("decrypted text", TEXT, cipher.doFinal(encrypted));
  }

  /** Whether the key was set up shows in what it encrypts. */
  @Override
  public byte[] answer() throws GeneralSecurityException {
    return init().doFinal(TEXT);
  }

  /** Initialises for encryption. */
  @Benchmark
  @NativeOperation("key-setup")
  public Cipher init() throws GeneralSecurityException {
    init(Cipher.ENCRYPT_MODE, takesVectorOnce() ? parameters(++count) : parameters);
    return cipher;
  }
}
