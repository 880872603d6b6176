package jcarerun;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.KeyGenerator;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A provider that wraps the JDK's ciphers and key generators and breaks them in one way, its {@code fault}.
 *
 * <p>{@code none} breaks nothing, to show that the fault is found and not the wrapping.
 */
public class FakeProvider extends Provider {
  private static final long serialVersionUID = 1;

  /**
   * One of none, encrypt, decrypt, both, stream, length, key, constant, digest; unchecked, to throw an unchecked
   * exception when it decrypts; later, to be wrong after {@link #GOOD} calls; seen, to be wrong for a text that was
   * seen so often; tamper:FILE, to add a line to a file of the round, or to make a pipe that is called 002-pipe.
   */
  static final String FAULT = "jcarerun.test.fault";

  /** How many calls are answered well, more than a check makes. */
  static final int GOOD = 40;

  private final String fault;

  /** A provider whose fault the system property {@link #FAULT} names when it is made. */
  @SuppressWarnings("deprecation") // JDK 8 knows no other constructor
  public FakeProvider() {
    super("Fake", 1.0, "wraps the JDK's");
    this.fault = System.getProperty(FAULT, "none");
    if (fault.startsWith("tamper:")) {
      tamper(Paths.get(fault.substring("tamper:".length())));
    }
  }

  private static void tamper(Path file) {
    try {
      if (file.endsWith("002-pipe")) {
        new ProcessBuilder("mkfifo", file.toString()).start().waitFor();
        return;
      }
      Files.write(file, "1,1,forged\n".getBytes(StandardCharsets.US_ASCII), StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Service getService(String type, String algorithm) {
    if (!Arrays.asList("Cipher", "KeyGenerator", "KeyPairGenerator").contains(type)
        && !(type.equals("MessageDigest") && Arrays.asList("digest", "later", "unchecked").contains(fault))) {
      return null;
    }
    return new Service(this, type, algorithm, FakeProvider.class.getName(), null, null) {
      @Override
      public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
        try {
          switch (type) {
            case "Cipher":
              return new FakeCipher(algorithm, fault);
            case "KeyGenerator":
              return new FakeGenerator(algorithm, fault);
            case "MessageDigest":
              return new FakeDigest(algorithm, fault);
            default:
              return KeyPairGenerator.getInstance(algorithm);
          }
        } catch (GeneralSecurityException e) {
          throw new NoSuchAlgorithmException(e);
        }
      }
    };
  }

  /** Flips one bit of the last byte. */
  private static byte[] corrupt(byte[] bytes) {
    if (bytes != null && bytes.length > 0) {
      bytes[bytes.length - 1] ^= 1;
    }
    return bytes;
  }

  /** Wrong encryption, wrong decryption, both so that they cancel out, wrong in pieces only, or too long. */
  private static final class FakeCipher extends CipherSpi {
    private final Cipher real;
    private final String fault;
    private boolean encrypting;
    private final Map<Integer, Integer> seen = new HashMap<>();
    private int calls;

    FakeCipher(String transformation, String fault) throws GeneralSecurityException {
      this.real = Cipher.getInstance(transformation);
      this.fault = fault;
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
      byte[] output = real.update(input, offset, length);
      return fault.equals("stream") ? corrupt(output) : output;
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
        throws IllegalBlockSizeException, BadPaddingException {
      byte[] in = input == null ? new byte[0] : Arrays.copyOfRange(input, offset, offset + length);
      if (fault.equals("unchecked") && !encrypting) {
        throw new IllegalArgumentException("no text of this provider");
      }
      if (fault.equals("both") && !encrypting) {
        corrupt(in);
      }
      byte[] output = real.doFinal(in);
      if (encrypting && (fault.equals("later") && ++calls > GOOD
          || fault.equals("seen") && seen.merge(Arrays.hashCode(in), 1, Integer::sum) > GOOD)) {
        return new byte[output.length];
      }
      if (encrypting && fault.equals("length")) {
        return Arrays.copyOf(output, output.length + 1);
      }
      boolean wrong = fault.equals(encrypting ? "encrypt" : "decrypt") || fault.equals("both") && encrypting;
      return wrong ? corrupt(output) : output;
    }

    @Override
    protected void engineInit(int mode, Key key, SecureRandom random) throws InvalidKeyException {
      encrypting = mode == Cipher.ENCRYPT_MODE;
      real.init(mode, key, random);
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameterSpec spec, SecureRandom random)
        throws InvalidKeyException, InvalidAlgorithmParameterException {
      encrypting = mode == Cipher.ENCRYPT_MODE;
      real.init(mode, key, spec, random);
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameters parameters, SecureRandom random) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int at) {
      byte[] made = engineUpdate(input, offset, length);
      return copy(made, output, at);
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int at)
        throws IllegalBlockSizeException, BadPaddingException {
      return copy(engineDoFinal(input, offset, length), output, at);
    }

    private static int copy(byte[] made, byte[] output, int at) {
      if (made == null) {
        return 0;
      }
      System.arraycopy(made, 0, output, at, made.length);
      return made.length;
    }

    @Override
    protected void engineSetMode(String mode) {}

    @Override
    protected void engineSetPadding(String padding) {}

    @Override
    protected int engineGetBlockSize() {
      return real.getBlockSize();
    }

    @Override
    protected int engineGetOutputSize(int inputLength) {
      return inputLength + 2 * Math.max(8, real.getBlockSize());
    }

    @Override
    protected byte[] engineGetIV() {
      return real.getIV();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
      return null;
    }
  }

  /** Always the same key, or a two-key Triple-DES key with three keys. */
  private static final class FakeGenerator extends KeyGeneratorSpi {
    private final KeyGenerator real;
    private final String fault;

    FakeGenerator(String algorithm, String fault) throws GeneralSecurityException {
      this.real = KeyGenerator.getInstance(algorithm);
      this.fault = fault;
    }

    @Override
    protected void engineInit(SecureRandom random) {
      real.init(random);
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec spec, SecureRandom random) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void engineInit(int bits, SecureRandom random) {
      real.init(fault.equals("key") && bits == 112 ? 168 : bits, random);
    }

    @Override
    protected SecretKey engineGenerateKey() {
      SecretKey key = real.generateKey();
      if (!fault.equals("constant")) {
        return key;
      }
      return new SecretKeySpec(new byte[key.getEncoded().length], key.getAlgorithm());
    }
  }
}
