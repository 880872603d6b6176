package jcarerun.adapter;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** A cipher of Cryptix 3.2 behind the JCA's class. A call costs one reflective call more than the library's own. */
final class CryptixCipher extends CipherSpi {
  private final Class<?> type;
  private final String algorithm;
  private final Method initEncrypt;
  private final Method initDecrypt;
  private final Method setVector;
  private final Method crypt;
  private final Method update;
  private String mode = "ECB";
  private String padding = "NONE";
  private Object cipher;
  private byte[] vector;

  CryptixCipher(ClassLoader library, String algorithm) throws ReflectiveOperationException, GeneralSecurityException {
    this.algorithm = algorithm;
    type = library.loadClass("xjava.security.Cipher");
    initEncrypt = type.getMethod("initEncrypt", Key.class);
    initDecrypt = type.getMethod("initDecrypt", Key.class);
    crypt = type.getMethod("crypt", byte[].class, int.class, int.class);
    update = type.getMethod("update", byte[].class, int.class, int.class);
    setVector = library.loadClass("xjava.security.FeedbackCipher")
        .getMethod("setInitializationVector", byte[].class);
  }

  private Object cipher() throws InvalidKeyException {
    if (cipher == null) {
      String name = algorithm + '/' + mode + '/' + padding;
      try {
        // RC4 by its class: its name is an alias in the JDK's list, and Cryptix follows that to a name it doesn't know.
        cipher = algorithm.equals("RC4")
            ? type.getClassLoader().loadClass("cryptix.provider.cipher.RC4").getConstructor().newInstance()
            : type.getMethod("getInstance", String.class, String.class).invoke(null, name, "Cryptix");
      } catch (InvocationTargetException e) {
        throw new InvalidKeyException(name + ": " + e.getCause(), e);
      } catch (ReflectiveOperationException e) {
        throw new InvalidKeyException(name + ": " + e, e);
      }
    }
    return cipher;
  }

  @Override
  protected void engineSetMode(String name) throws NoSuchAlgorithmException {
    if (!name.matches("(?i)ECB|CBC")) {
      throw new NoSuchAlgorithmException("mode " + name + " isn't adapted");
    }
    mode = name;
  }

  @Override
  protected void engineSetPadding(String name) throws NoSuchPaddingException {
    if (!name.matches("(?i)NoPadding|PKCS5Padding")) {
      throw new NoSuchPaddingException("padding " + name + " isn't adapted");
    }
    // PKCS#5 is for blocks of 8 bytes, PKCS#7 the same for others.
    padding = name.equalsIgnoreCase("NoPadding") ? "NONE" : engineGetBlockSize() == 8 ? "PKCS#5" : "PKCS#7";
  }

  @Override
  protected int engineGetBlockSize() {
    return algorithm.equals("Rijndael") ? 16 : algorithm.equals("RC4") ? 0 : 8;
  }

  @Override
  protected int engineGetOutputSize(int length) {
    int block = engineGetBlockSize();
    return block == 0 || padding.equals("NONE") ? length : (length / block + 1) * block;
  }

  @Override
  protected byte[] engineGetIV() {
    return vector == null ? null : vector.clone();
  }

  @Override
  protected AlgorithmParameters engineGetParameters() {
    return null;
  }

  @Override
  protected void engineInit(int direction, Key key, SecureRandom random) throws InvalidKeyException {
    init(direction, key, null);
  }

  @Override
  protected void engineInit(int direction, Key key, AlgorithmParameterSpec parameters, SecureRandom random)
      throws InvalidKeyException, InvalidAlgorithmParameterException {
    if (parameters != null && !(parameters instanceof IvParameterSpec)) {
      throw new InvalidAlgorithmParameterException("parameters must be an IvParameterSpec");
    }
    init(direction, key, parameters == null ? null : ((IvParameterSpec) parameters).getIV());
  }

  @Override
  protected void engineInit(int direction, Key key, AlgorithmParameters parameters, SecureRandom random)
      throws InvalidAlgorithmParameterException {
    throw new InvalidAlgorithmParameterException("parameters must be an IvParameterSpec");
  }

  private void init(int direction, Key key, byte[] start) throws InvalidKeyException {
    boolean another = !Arrays.equals(start, vector);
    if (another) {
      cipher = null; // a vector can be set once; initialising goes back to it
      vector = start;
    }
    Object own = cipher();
    try {
      if (another && start != null) {
        setVector.invoke(own, (Object) start);
      }
      (direction == Cipher.ENCRYPT_MODE ? initEncrypt : initDecrypt).invoke(own, named(key));
    } catch (InvocationTargetException e) {
      throw new InvalidKeyException(algorithm + ": " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new InvalidKeyException(algorithm + ": " + e, e);
    }
  }

  /** Cryptix looks at the key's algorithm, and knows RC4 by that name alone. */
  private Key named(Key key) {
    return algorithm.equals("RC4") ? new SecretKeySpec(key.getEncoded(), algorithm) : key;
  }

  @Override
  protected byte[] engineUpdate(byte[] input, int offset, int length) {
    try {
      return (byte[]) update.invoke(cipher, input, offset, length);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(algorithm + ": " + e.getCause(), e);
    }
  }

  @Override
  protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int start)
      throws ShortBufferException {
    return put(engineUpdate(input, offset, length), output, start);
  }

  @Override
  protected byte[] engineDoFinal(byte[] input, int offset, int length) throws IllegalBlockSizeException {
    try {
      return (byte[]) crypt.invoke(cipher, input, offset, length);
    } catch (InvocationTargetException e) {
      throw (IllegalBlockSizeException) new IllegalBlockSizeException(algorithm + ": " + e.getCause()).initCause(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(algorithm + ": " + e, e);
    }
  }

  @Override
  protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int start)
      throws ShortBufferException, IllegalBlockSizeException {
    return put(engineDoFinal(input, offset, length), output, start);
  }

  private static int put(byte[] made, byte[] output, int start) throws ShortBufferException {
    if (output.length - start < made.length) {
      throw new ShortBufferException("output must have room for " + made.length + " bytes");
    }
    System.arraycopy(made, 0, output, start, made.length);
    return made.length;
  }
}
