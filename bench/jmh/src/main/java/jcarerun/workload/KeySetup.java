package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Random;
import javax.crypto.Cipher;
import jcarerun.Jca;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Sets a secret key up: initialises a cipher that is there already, which makes the key schedule. */
public class KeySetup extends ProviderWorkload {
  private static final byte[] TEXT = Contents.fixed(64);

  /** Algorithm, mode and padding; of a stream cipher the algorithm alone. */
  @Param("AES/CBC/PKCS5Padding")
  public String transformation;

  /** Length of the key in bits, without parity. */
  @Param("128")
  public int bits;

  private SecretInputs inputs;
  private Cipher cipher;
  private AlgorithmParameterSpec parameters;
  private boolean once;
  private int count;

  @Override
  protected String subject() {
    return transformation + ", " + bits + " bits,";
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    inputs = new SecretInputs(transformation, bits, Contents.FIXED, jca);
    once = inputs.takesVectorOnce;
    cipher = Jca.cipher(transformation, jca);
    parameters = inputs.parameters(0);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    inputs.verify(check);
    verify(check, TEXT, init().doFinal(TEXT));
  }

  private void verify(Check check, byte[] text, byte[] encrypted) throws GeneralSecurityException {
    inputs.init(cipher, Cipher.DECRYPT_MODE, lastParameters());
    check.same("decrypted text", text, cipher.doFinal(encrypted));
  }

  private AlgorithmParameterSpec lastParameters() throws GeneralSecurityException {
    return once ? inputs.parameters(count) : parameters;
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    byte[] text = new byte[TEXT.length];
    random.nextBytes(text);
    byte[] encrypted = init().doFinal(text);
    byte[] reference = inputs.reference(Cipher.ENCRYPT_MODE, lastParameters(), text);
    check.sameAsReference("cipher text", reference, encrypted);
    verify(check, text, encrypted);
  }

  /** Whether the key was set up shows in what it encrypts. */
  @Override
  public byte[] answer() throws GeneralSecurityException {
    return init().doFinal(TEXT);
  }

  /** Initialises for encryption. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  @NativeOperation("key-setup")
  public Cipher init() throws GeneralSecurityException {
    inputs.init(cipher, Cipher.ENCRYPT_MODE, once ? inputs.parameters(++count) : parameters);
    return cipher;
  }
}
