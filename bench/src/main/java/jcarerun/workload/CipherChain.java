package jcarerun.workload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import jcarerun.Jca;
import jcarerun.probe.Measures;
import jcarerun.probe.Observations;
import org.openjdk.jmh.annotations.Param;

/**
 * Everything it takes to secure an object graph, from a fresh key to the graph read back, each step timed by itself:
 * key generation, creation of two cipher objects, their initialisation, serialisation through a CipherOutputStream,
 * deserialisation through a CipherInputStream.
 */
@Measures({"step.generate-key", "step.create-cipher", "step.initialise", "step.encrypt", "step.decrypt",
    "part.generate-key.seeding"})
public class CipherChain extends ObjectStream {
  static final int KEY = 0;
  static final int CREATE = 1;
  static final int INIT = 2;
  static final int ENCRYPT = 3;
  static final int DECRYPT = 4;

  /** Algorithm of the block cipher. */
  @Param("AES")
  public String algorithm;

  /** Length of the key in bits, without parity. */
  @Param("128")
  public int bits;

  /** Mode of operation, ECB or CBC, the latter with a random initialization vector. The padding is PKCS#5. */
  @Param("CBC")
  public String mode;

  /** The clock of the steps. */
  protected final Steps steps = clock();

  private long seedingNs;
  private boolean seeded;
  private boolean checked;
  private SecretKey key;
  private byte[] iv;
  private byte[] encrypted;

  /** The clock, with a name for each step. */
  Steps clock() {
    return new Steps("generate-key", "create-cipher", "initialise", "encrypt", "decrypt");
  }

  @Override
  protected String subject() {
    return algorithm + "/" + mode + "/PKCS5Padding";
  }

  @Override
  protected Node operation(Node graph) throws GeneralSecurityException, IOException {
    steps.start();
    if (!seeded) {
      seed();
    }
    KeyGenerator generator = Jca.keyGenerator(algorithm, jca);
    generator.init(bits);
    key = generator.generateKey();
    steps.lap(KEY);
    final SecretKey received = exchange(key);
    Cipher encryption = Jca.cipher(subject(), jca);
    final Cipher decryption = Jca.cipher(subject(), jca);
    steps.lap(CREATE);
    encryption.init(Cipher.ENCRYPT_MODE, key);
    iv = encryption.getIV();
    decryption.init(Cipher.DECRYPT_MODE, received, iv == null ? null : new IvParameterSpec(iv));
    steps.lap(INIT);
    ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
    ObjectGraph.write(graph, new CipherOutputStream(out, encryption));
    encrypted = out.toByteArray();
    steps.lap(ENCRYPT);
    Node back = ObjectGraph.read(new CipherInputStream(new ByteArrayInputStream(encrypted), decryption));
    steps.lap(DECRYPT);
    steps.done();
    return back;
  }

  /** Hands the key to the receiver; here both are one program. */
  SecretKey exchange(SecretKey sent) throws GeneralSecurityException {
    return sent;
  }

  /** The JVM's first use of SecureRandom, which loads and seeds it; part of the first key's generation. */
  private void seed() {
    long start = System.nanoTime();
    new SecureRandom().nextBytes(new byte[8]);
    seedingNs = System.nanoTime() - start;
    seeded = true;
  }

  @Override
  protected void warmed(Check check) {
    steps.forget();
    seedingNs = 0;
  }

  @Override
  protected void ended(Check check, Node graph) throws GeneralSecurityException, IOException {
    steps.observe();
    if (checked) {
      return;
    }
    checked = true;
    // Per operation, as the steps are; nothing where calls that warmed up have seeded.
    Observations.add("part.generate-key.seeding", (double) seedingNs / repetitions);
    KnownAnswers.verify(check, algorithm, jca);
    Keys.verify(check, algorithm, bits, key);
    Cipher cipher = Jca.cipher(subject(), jca);
    cipher.init(Cipher.ENCRYPT_MODE, key, iv == null ? null : new IvParameterSpec(iv));
    check.same("output of the cipher stream", cipher.doFinal(ObjectGraph.bytes(graph)), encrypted);
  }
}
