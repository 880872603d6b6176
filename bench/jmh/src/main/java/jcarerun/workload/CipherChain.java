package jcarerun.workload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import jcarerun.Jca;
import jcarerun.probe.Observations;
import jcarerun.probe.Observations.Measures;
import org.openjdk.jmh.annotations.Param;

/**
 * Everything it takes to secure an object, from a fresh key to the object read back, each step timed by itself.
 *
 * <p>The steps are those of the JCA: key generation; the sender's cipher object created and initialised; encryption
 * through a CipherOutputStream; the receiver's cipher object created and initialised; decryption through a
 * CipherInputStream. Serialisation is no step: {@code serialise} and {@code deserialise} are observed beside them.
 */
@Measures({"step.generate-key", "step.create-cipher", "step.initialise", "step.encrypt", "step.create-receiver",
    "step.initialise-receiver", "step.decrypt", "serialise", "deserialise", "part.generate-key.seeding"})
public class CipherChain extends ObjectStream {
  private static final int KEY = 0;
  private static final int CREATE = 1;
  private static final int INIT = 2;
  private static final int ENCRYPT = 3;
  private static final int CREATE_RECEIVER = 4;
  private static final int INIT_RECEIVER = 5;
  private static final int DECRYPT = 6;
  private static final int SERIALISE = 7;
  private static final int DESERIALISE = 8;
  /** The first number for a step of a subclass. */
  static final int MORE = 9;

  /** Algorithm of the block cipher. */
  @Param("AES")
  public String algorithm;

  /** Length of the key in bits, without parity. */
  @Param("128")
  public int bits;

  /** Mode of operation, ECB or CBC, the latter with a random initialization vector. The padding is PKCS#5. */
  @Param("CBC")
  public String mode;

  /** Source of the key's and the vector's random numbers, see {@link RandomSource}; usual for the provider's own. */
  @Param(RandomSource.USUAL)
  public String random;

  /** The clock of the steps. */
  protected final Steps steps = new Steps("step.generate-key", "step.create-cipher", "step.initialise", "step.encrypt",
      "step.create-receiver", "step.initialise-receiver", "step.decrypt", "serialise", "deserialise",
      "step.wrap-key", "step.unwrap-key");

  private long seedingNs;
  private boolean seeded;
  private SecureRandom source;
  private boolean checked;
  private SecretKey key;
  private byte[] iv;
  private byte[] plain;
  private byte[] encrypted;

  @Override
  protected String subject() {
    return algorithm + "/" + mode + "/PKCS5Padding";
  }

  @Override
  protected Object operation(Object object) throws GeneralSecurityException, IOException {
    steps.start();
    if (!seeded) {
      seed();
    }
    KeyGenerator generator = Jca.keyGenerator(algorithm, jca);
    if (source == null) {
      generator.init(bits);
    } else {
      generator.init(bits, source);
    }
    key = generator.generateKey();
    steps.lap(KEY);
    final SecretKey received = exchange(key);
    Cipher encryption = Jca.cipher(subject(), jca);
    steps.lap(CREATE);
    if (source == null) {
      encryption.init(Cipher.ENCRYPT_MODE, key);
    } else {
      encryption.init(Cipher.ENCRYPT_MODE, key, source);
    }
    steps.lap(INIT);
    plain = ObjectGraph.bytes(object);
    steps.lap(SERIALISE);
    ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
    try (OutputStream stream = new CipherOutputStream(out, encryption)) {
      stream.write(plain);
    }
    encrypted = out.toByteArray();
    steps.lap(ENCRYPT);
    iv = encryption.getIV();
    Cipher decryption = Jca.cipher(subject(), jca);
    steps.lap(CREATE_RECEIVER);
    decryption.init(Cipher.DECRYPT_MODE, received, iv == null ? null : new IvParameterSpec(iv));
    steps.lap(INIT_RECEIVER);
    byte[] decrypted = new byte[encrypted.length];
    try (InputStream stream = new CipherInputStream(new ByteArrayInputStream(encrypted), decryption)) {
      for (int at = 0, n = 0; n >= 0; at += n) {
        n = stream.read(decrypted, at, decrypted.length - at);
      }
    }
    steps.lap(DECRYPT);
    Object back = ObjectGraph.of(decrypted);
    steps.lap(DESERIALISE);
    steps.done();
    return back;
  }

  /** Hands the key to the receiver; here both are one program. */
  SecretKey exchange(SecretKey sent) throws GeneralSecurityException {
    return sent;
  }

  /** The JVM's first use of the random source, which loads and seeds it; part of the first key's generation. */
  private void seed() throws GeneralSecurityException {
    long start = System.nanoTime();
    source = RandomSource.of(random);
    (source == null ? new SecureRandom() : source).nextBytes(new byte[8]);
    seedingNs = System.nanoTime() - start;
    seeded = true;
  }

  @Override
  protected void warmed() {
    steps.forget();
    seedingNs = 0;
  }

  @Override
  protected void ended(Check check, Object object) throws GeneralSecurityException, IOException {
    steps.observe();
    if (!checked) {
      checked = true;
      // Per operation, as the steps are; nothing where calls that warmed up have seeded.
      Observations.add("part.generate-key.seeding", (double) seedingNs / repetitions);
      KnownAnswers.verify(check, algorithm, jca);
    }
    Keys.verify(check, algorithm, bits, key);
    Cipher cipher = Jca.cipher(subject(), jca);
    cipher.init(Cipher.ENCRYPT_MODE, key, iv == null ? null : new IvParameterSpec(iv));
    check.same("output of the cipher stream", cipher.doFinal(plain), encrypted);
  }

  /** The last cipher text, under a key that was drawn for it, is decrypted by the JDK. */
  @Override
  protected void verifyFresh(Check check, Random fresh) {
    check.sameAsReference("plain text", JdkReference.cipher(
        subject(), Cipher.DECRYPT_MODE, key, iv == null ? null : new IvParameterSpec(iv), encrypted), plain);
  }
}
