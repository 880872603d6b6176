package jcarerun.workload;

import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/** Draws random bytes from a SecureRandom: one for each thread of the fork, or one that they share. */
public class RandomBytes extends ProviderWorkload {
  /** Chi-square of 255 degrees of freedom: one in 1e9 good streams lies outside. */
  private static final double LEAST = 140;
  private static final double MOST = 410;
  private static final int SAMPLE = 1 << 16;

  private static SecureRandom shared;

  /** Name of the algorithm: DRBG, SHA1PRNG, NativePRNG and others; usual for that of the provider. */
  @Param(RandomSource.USUAL)
  public String algorithm;

  /** Bytes of a call. */
  @Param("32")
  public int bytes;

  /** Whose object it is: own, one for each thread, or shared by all. */
  @Param("own")
  public String object;

  private SecureRandom random;
  private byte[] drawn;

  @Override
  protected String subject() {
    return "random bytes by " + algorithm;
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    if (!object.equals("own") && !object.equals("shared")) {
      throw new IllegalArgumentException("object must be own or shared, is " + object);
    }
    drawn = new byte[bytes];
    synchronized (RandomBytes.class) {
      random = object.equals("own") || shared == null ? make() : shared;
      shared = object.equals("own") ? null : random;
    }
    closing(() -> {
      synchronized (RandomBytes.class) {
        shared = null;
      }
    });
  }

  private SecureRandom make() throws GeneralSecurityException {
    if (algorithm.equals(RandomSource.USUAL)) {
      // The JDK's own providers share the JVM's usual source; one from a jar has a name of its own for its.
      boolean isOfJvm = jca == null || Arrays.asList(Security.getProviders()).contains(jca);
      return isOfJvm ? new SecureRandom() : SecureRandom.getInstance(usualName(), jca);
    }
    return jca == null ? SecureRandom.getInstance(algorithm) : SecureRandom.getInstance(algorithm, jca);
  }

  /** DEFAULT where the provider has that, else the first source that it names. */
  private String usualName() throws NoSuchAlgorithmException {
    List<String> names = jca.getServices().stream().filter(each -> each.getType().equals("SecureRandom"))
        .map(Provider.Service::getAlgorithm).collect(Collectors.toList());
    if (names.isEmpty()) {
      throw new NoSuchAlgorithmException(jca.getName() + " has no SecureRandom");
    }
    return names.contains("DEFAULT") ? "DEFAULT" : names.get(0);
  }

  /** Byte values come equally often, and no two draws are the same. */
  @Override
  protected void verify(Check check) {
    byte[] before = next().clone();
    check.that("two draws are equal", bytes < 8 || !Arrays.equals(before, next()));
    byte[] part = new byte[256];
    int[] counts = new int[256];
    for (int taken = 0; taken < SAMPLE; taken += part.length) {
      random.nextBytes(part);
      for (byte value : part) {
        counts[value & 0xff]++;
      }
    }
    double expected = SAMPLE / 256.0;
    double chiSquare = Arrays.stream(counts).mapToDouble(n -> (n - expected) * (n - expected)).sum() / expected;
    check.that("byte values are not equally frequent (chi-square " + chiSquare + ")",
        chiSquare > LEAST && chiSquare < MOST);
  }

  /** Every draw is fresh: two objects must differ. */
  @Override
  protected void verifyFresh(Check check, Random fresh) throws GeneralSecurityException {
    byte[] other = new byte[32];
    make().nextBytes(other);
    byte[] more = new byte[32];
    random.nextBytes(more);
    check.that("two objects draw the same", !Arrays.equals(other, more));
  }

  /** Draws the bytes. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] next() {
    random.nextBytes(drawn);
    return drawn;
  }
}
