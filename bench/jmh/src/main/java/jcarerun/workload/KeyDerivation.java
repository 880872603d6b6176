package jcarerun.workload;

import java.lang.reflect.InvocationTargetException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.KeySpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Derives a key: by PBKDF2 or Argon2id from a password, or by HKDF, extract and expand, from a secret. HKDF is {@code
 * javax.crypto.KDF}, which Java has from 25 on; its calls are made by reflection, since this code runs on JDK 8 too.
 * Argon2id is Bouncy Castle's, with a key specification of its own.
 */
public class KeyDerivation extends ProviderWorkload {
  /** The reference implementation's own test: Argon2id, 2 iterations, 256 KiB, one lane, 256 bits. */
  private static final String ANSWER = "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe";
  private static final int ANSWER_ITERATIONS = 2;
  private static final int ANSWER_MEMORY = 256;

  /** Algorithm: PBKDF2WithHmacSHA256, HKDF-SHA256, or another hash's; Argon2id. */
  @Param("PBKDF2WithHmacSHA256")
  public String algorithm;

  /** Iterations of PBKDF2 and Argon2id; says nothing of HKDF. */
  @Param("10000")
  public int iterations;

  /** Memory of Argon2id in KiB; says nothing of the others. */
  @Param("19456")
  public int memory;

  /** Length of the key in bits. */
  @Param("256")
  public int bits;

  private byte[] secret;
  private byte[] salt;
  private SecretKeyFactory passwords;
  private Object hkdf;
  private AlgorithmParameterSpec parameters;

  private boolean isHkdf() {
    return algorithm.startsWith("HKDF-");
  }

  private boolean isArgon2() {
    return algorithm.equals("Argon2id");
  }

  @Override
  protected void shrink() {
    iterations = Math.min(iterations, 100);
    memory = Math.min(memory, ANSWER_MEMORY);
  }

  @Override
  protected String subject() {
    return algorithm + (isHkdf() ? "" : ", " + iterations + " iterations,");
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    setInputs(Contents.fixed(16), Contents.counted(0xa0, 16));
    if (isHkdf()) {
      Class<?>[] types = jca == null ? new Class<?>[] {String.class} : new Class<?>[] {String.class, Provider.class};
      Object[] values = jca == null ? new Object[] {algorithm} : new Object[] {algorithm, jca};
      hkdf = call(null, "javax.crypto.KDF", "getInstance", types, values);
    } else {
      passwords = Jca.secretKeyFactory(isArgon2() ? "ARGON2" : algorithm, jca);
    }
  }

  private void setInputs(byte[] newSecret, byte[] newSalt) throws GeneralSecurityException {
    secret = newSecret;
    salt = newSalt;
    if (isHkdf()) {
      String spec = "javax.crypto.spec.HKDFParameterSpec";
      Class<?>[] bytes = {byte[].class};
      Object builder = call(null, spec, "ofExtract", new Class<?>[0]);
      builder = call(builder, spec + "$Builder", "addIKM", bytes, (Object) secret);
      builder = call(builder, spec + "$Builder", "addSalt", bytes, (Object) salt);
      parameters = (AlgorithmParameterSpec) call(builder, spec + "$Builder", "thenExpand",
          new Class<?>[] {byte[].class, int.class}, new byte[0], bits / 8);
    }
  }

  private static Object call(Object target, String type, String method, Class<?>[] types, Object... values)
      throws GeneralSecurityException {
    try {
      return Class.forName(type).getMethod(method, types).invoke(target, values);
    } catch (ClassNotFoundException e) {
      throw new NoSuchAlgorithmException("this JVM has no " + type, e);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof GeneralSecurityException ? (GeneralSecurityException) e.getCause()
          : new GeneralSecurityException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    byte[] key = derive();
    check.same("length of the key in bytes", bits / 8, key.length);
    if (isArgon2()) {
      check.same("key of the same password again", key, derive());
      byte[] answer = argon2("password", ascii("somesalt"), ANSWER_ITERATIONS, ANSWER_MEMORY);
      check.that("a published key is another one", ANSWER.equals(String.format("%064x", new BigInteger(1, answer))));
    } else {
      check.same("key by the textbook", isHkdf() ? hkdfByTextbook() : pbkdf2ByTextbook(), key);
    }
  }

  private byte[] argon2(String password, byte[] newSalt, int passes, int kib) throws GeneralSecurityException {
    if (jca == null) {
      throw new NoSuchAlgorithmException("Argon2id is a provider's own: name one that has it");
    }
    try {
      KeySpec spec = (KeySpec) Class
          .forName("org.bouncycastle.jcajce.spec.Argon2KeySpec", true, jca.getClass().getClassLoader())
          .getConstructor(char[].class, byte[].class, int.class, int.class, int.class, int.class)
          .newInstance(password.toCharArray(), newSalt, passes, kib, 1, bits);
      return passwords.generateSecret(spec).getEncoded();
    } catch (ReflectiveOperationException e) {
      throw new NoSuchAlgorithmException("the provider has no Argon2KeySpec", e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  protected void verifyFresh(Check check, Random random) throws GeneralSecurityException {
    // A password is text: printable characters mean the same bytes to every provider.
    byte[] other = random.ints(16, ' ', '~').mapToObj(c -> String.valueOf((char) c)).reduce("", String::concat)
        .getBytes(StandardCharsets.US_ASCII);
    byte[] otherSalt = new byte[16];
    random.nextBytes(otherSalt);
    setInputs(other, otherSalt);
    verify(check);
  }

  private Mac mac(byte[] key) throws GeneralSecurityException {
    String hash = algorithm.replaceFirst("^(PBKDF2WithHmac|HKDF-)", "");
    Mac mac = Mac.getInstance("Hmac" + hash);
    mac.init(new SecretKeySpec(key, "Hmac"));
    return mac;
  }

  /** RFC 8018, section 5.2. */
  private byte[] pbkdf2ByTextbook() throws GeneralSecurityException {
    Mac mac = mac(secret);
    byte[] key = new byte[0];
    for (int block = 1; key.length < bits / 8; block++) {
      mac.update(salt);
      byte[] last = mac.doFinal(ByteBuffer.allocate(4).putInt(block).array());
      byte[] sum = last.clone();
      for (int i = 1; i < iterations; i++) {
        last = mac.doFinal(last);
        for (int j = 0; j < sum.length; j++) {
          sum[j] ^= last[j];
        }
      }
      key = append(key, sum);
    }
    return Arrays.copyOf(key, bits / 8);
  }

  /** RFC 5869, section 2, without further information. */
  private byte[] hkdfByTextbook() throws GeneralSecurityException {
    Mac mac = mac(mac(salt).doFinal(secret));
    byte[] key = new byte[0];
    byte[] last = new byte[0];
    for (int block = 1; key.length < bits / 8; block++) {
      mac.update(last);
      last = mac.doFinal(new byte[] {(byte) block});
      key = append(key, last);
    }
    return Arrays.copyOf(key, bits / 8);
  }

  private static byte[] append(byte[] front, byte[] back) {
    byte[] both = Arrays.copyOf(front, front.length + back.length);
    System.arraycopy(back, 0, both, front.length, back.length);
    return both;
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public byte[] answer() throws GeneralSecurityException {
    return derive();
  }

  /** Derives the key. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] derive() throws GeneralSecurityException {
    if (hkdf != null) {
      return (byte[]) call(
          hkdf, "javax.crypto.KDF", "deriveData", new Class<?>[] {AlgorithmParameterSpec.class}, parameters);
    }
    String password = new String(secret, StandardCharsets.US_ASCII);
    return isArgon2() ? argon2(password, salt, iterations, memory)
        : passwords.generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, bits)).getEncoded();
  }
}
