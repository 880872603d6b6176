package jcarerun.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.CipherOutputStream;
import javax.crypto.KeyGenerator;
import javax.crypto.spec.IvParameterSpec;
import jcarerun.Jca;
import jcarerun.probe.Observations;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * Counts the byte values of what 100 serialised object graphs become. An operation has a fresh key and fresh graphs.
 *
 * <p>Observed of an iteration's last operation: {@code bytes.1}, {@code bytes.10}, {@code bytes.100}, the counts of 0
 * to 255 over so many graphs, and {@code graphs.seed}, the first graph's seed.
 */
public class ByteCounts extends Workload {
  private static final int[] PARTS = {1, 10, 100};

  /**
   * What is counted: {@code plain}, the serialised graphs; {@code cipher}, those encrypted; {@code random}, as many
   * random bytes; {@code rsa-zeros}, RSA with PKCS#1 padding on 117 zero bytes again and again, until there are as many
   * bytes; {@code rsa-raw}, RSA without padding on the graphs in pieces of 117 bytes.
   */
  @Param("cipher")
  public String stream;

  /** Algorithm of the block cipher, or RSA. */
  @Param("AES")
  public String algorithm;

  /** Length of the key or modulus in bits. */
  @Param("128")
  public int bits;

  /** Mode of a block cipher, ECB or CBC. */
  @Param("CBC")
  public String mode;

  private final SecureRandom random = new SecureRandom();
  private long[][] counts;
  private int seed;

  @Override
  protected String subject() {
    switch (stream) {
      case "cipher":
        return algorithm + "/" + mode + "/PKCS5Padding";
      case "rsa-zeros":
        return "RSA/ECB/PKCS1Padding";
      case "rsa-raw":
        return "RSA/ECB/NoPadding";
      case "plain":
      case "random":
        return stream + " bytes";
      default:
        throw new IllegalArgumentException("stream must be plain, cipher, random, rsa-zeros or rsa-raw, is " + stream);
    }
  }

  @Override
  protected void prepare() {}

  @Override
  protected void verify(Check check) throws GeneralSecurityException, IOException {
    if (stream.equals("cipher")) {
      KnownAnswers.verify(check, algorithm, jca);
    }
    byte[] plain = ObjectGraph.bytes(ObjectGraph.make(1));
    Sender sender = new Sender();
    byte[] sent = sender.send(plain);
    switch (stream) {
      case "plain":
        check.same("stream", plain, sent);
        break;
      case "random":
        check.same("length of the stream", plain.length, sent.length);
        break;
      case "rsa-zeros":
        check.same("message of the first block", new byte[ZeroBytes.LENGTH], sender.received(sent, bits / 8));
        break;
      case "rsa-raw":
        check.same("first piece", Arrays.copyOf(plain, ZeroBytes.LENGTH),
            lastBytes(sender.received(sent, bits / 8)));
        break;
      default:
        check.same("decrypted stream", plain, sender.received(sent, sent.length));
    }
  }

  /** RSA without padding gives the block with its leading zeros or without, as the provider likes. */
  private static byte[] lastBytes(byte[] block) {
    byte[] piece = new byte[ZeroBytes.LENGTH];
    int length = Math.min(block.length, piece.length);
    System.arraycopy(block, block.length - length, piece, piece.length - length, length);
    return piece;
  }

  /** A key, 100 graphs, and the counts of their bytes. */
  @Benchmark
  public Object count() throws GeneralSecurityException, IOException {
    seed = random.nextInt(Integer.MAX_VALUE);
    Sender sender = new Sender();
    long[] found = new long[256];
    counts = new long[PARTS.length][];
    int part = 0;
    for (int graph = 1; graph <= PARTS[PARTS.length - 1]; graph++) {
      for (byte value : sender.send(ObjectGraph.bytes(ObjectGraph.make(seed + (long) graph - 1)))) {
        found[value & 0xff]++;
      }
      if (graph == PARTS[part]) {
        counts[part++] = found.clone();
      }
    }
    return counts;
  }

  @Override
  protected void ended(Check check) {
    Observations.add("graphs.seed", seed);
    for (int part = 0; part < PARTS.length; part++) {
      Observations.counts("bytes." + PARTS[part], counts[part]);
    }
  }

  /** One session: a key, and what graphs become under it. */
  private final class Sender {
    private Cipher cipher;
    private Key key;
    private Key inverse;
    private byte[] iv;

    Sender() throws GeneralSecurityException {
      if (stream.startsWith("rsa-")) {
        KeyPairGenerator generator = Jca.keyPairGenerator("RSA", jca);
        generator.initialize(bits);
        KeyPair pair = generator.generateKeyPair();
        key = pair.getPublic();
        inverse = pair.getPrivate();
        cipher = Jca.cipher(subject(), jca);
        cipher.init(Cipher.ENCRYPT_MODE, key);
      } else if (stream.equals("cipher")) {
        KeyGenerator generator = Jca.keyGenerator(algorithm, jca);
        generator.init(bits);
        key = generator.generateKey();
        inverse = key;
        cipher = Jca.cipher(subject(), jca);
      }
    }

    byte[] send(byte[] plain) throws GeneralSecurityException, IOException {
      switch (stream) {
        case "plain":
          return plain;
        case "random":
          byte[] bytes = new byte[plain.length];
          random.nextBytes(bytes);
          return bytes;
        case "cipher":
          cipher.init(Cipher.ENCRYPT_MODE, key);
          iv = cipher.getIV();
          ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
          try (CipherOutputStream encrypting = new CipherOutputStream(out, cipher)) {
            encrypting.write(plain);
          }
          return out.toByteArray();
        default:
          return blocks(plain);
      }
    }

    private byte[] blocks(byte[] plain) throws GeneralSecurityException {
      ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
      byte[] message = new byte[ZeroBytes.LENGTH];
      for (int at = 0; stream.equals("rsa-raw") ? at < plain.length : out.size() < plain.length;
          at += message.length) {
        if (stream.equals("rsa-raw")) {
          message = Arrays.copyOfRange(plain, at, at + message.length);
        }
        byte[] block = cipher.doFinal(message);
        out.write(block, 0, block.length);
      }
      return out.toByteArray();
    }

    byte[] received(byte[] sent, int length) throws GeneralSecurityException {
      Cipher undo = Jca.cipher(subject(), jca);
      undo.init(Cipher.DECRYPT_MODE, inverse, iv == null ? null : new IvParameterSpec(iv));
      return undo.doFinal(sent, 0, length);
    }
  }
}
