package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import jcarerun.probe.Observations;
import jcarerun.probe.Observations.Measures;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * Counts the byte values of what 100 serialised object graphs become. An operation has a fresh key and fresh graphs.
 *
 * <p>Observed of an iteration's last operation: {@code bytes.1}, {@code bytes.10}, {@code bytes.100}, the counts of 0
 * to 255 over so many graphs, and {@code graphs.seed}, the first graph's seed.
 */
@Measures({"graphs.seed", "bytes.1", "bytes.10", "bytes.100"})
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

  /** What the objects are made of, see {@link ObjectGraph.Kind}. */
  @Param("graph")
  public ObjectGraph.Kind objects;

  private final SecureRandom random = new SecureRandom();
  private long[][] counts;
  private int seed;

  @Override
  protected String subject() {
    return stream.equals("cipher") ? algorithm + "/" + mode + "/PKCS5Padding" : "byte stream " + stream;
  }

  private Sender sender() throws GeneralSecurityException {
    switch (stream) {
      case "plain":
        return new Sender.Plain();
      case "random":
        return new Sender.Noise(random);
      case "cipher":
        return new Sender.Encrypted(subject(), bits, jca);
      case "rsa-zeros":
        return new Sender.Blocks("RSA/ECB/PKCS1Padding", true, bits, jca);
      case "rsa-raw":
        return new Sender.Blocks("RSA/ECB/NoPadding", false, bits, jca);
      default:
        throw new IllegalArgumentException("stream must be plain, cipher, random, rsa-zeros or rsa-raw, is " + stream);
    }
  }

  @Override
  protected void prepare() {}

  @Override
  protected void verify(Check check) throws GeneralSecurityException, IOException {
    byte[] plain = ObjectGraph.bytes(ObjectGraph.make(objects, 1));
    Sender sender = sender();
    sender.verify(check, plain, sender.send(plain));
  }

  /** A key, 100 graphs, and the counts of their bytes. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public Object count() throws GeneralSecurityException, IOException {
    seed = random.nextInt(Integer.MAX_VALUE);
    Sender sender = sender();
    long[] found = new long[256];
    counts = new long[PARTS.length][];
    int part = 0;
    for (int graph = 1; graph <= PARTS[PARTS.length - 1]; graph++) {
      for (byte value : sender.send(ObjectGraph.bytes(ObjectGraph.make(objects, seed + (long) graph - 1)))) {
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
}
