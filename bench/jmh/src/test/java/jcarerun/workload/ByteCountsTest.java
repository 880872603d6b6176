package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import jcarerun.BouncyCastle;
import jcarerun.probe.Observations;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Counts of byte values in plain and encrypted streams. */
class ByteCountsTest {
  @BeforeEach
  void forgetWhatOthersObserved() {
    BouncyCastle.define();
    Observations.take();
  }

  private static ByteCounts workload(String provider, String stream, String algorithm, int bits, String mode) {
    return Workloads.of(ByteCounts.class, provider, "stream", stream, "algorithm", algorithm, "bits", bits,
        "mode", mode, "objects", ObjectGraph.Kind.graph);
  }

  private static Map<String, long[]> iteration(ByteCounts workload) throws Exception {
    workload.setUp();
    workload.startClock();
    workload.count();
    workload.stopClock();
    Map<String, long[]> found = new HashMap<>();
    for (String row : Observations.take()) {
      String[] parts = row.split(",");
      found.put(parts[0], Arrays.stream(parts[1].split(";")).mapToLong(Long::parseLong).toArray());
    }
    return found;
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("jcarerun.workload.Workloads#all")
  void aCipherSpreadsTheBytesAndPadsThem(String provider, String algorithm, int bits) throws Exception {
    Map<String, long[]> found = iteration(workload(provider, "cipher", algorithm, bits, "CBC"));
    long bytes = Arrays.stream(found.get("bytes.100")).sum();
    assertEquals(0, bytes % (algorithm.equals("AES") ? 16 : 8));
    double expected = bytes / 256.0;
    double chiSquare = Arrays.stream(found.get("bytes.100")).mapToDouble(n -> (n - expected) * (n - expected)).sum()
        / expected;
    // 1e-12 of random streams lie outside.
    assertTrue(chiSquare > 120 && chiSquare < 450, "chi-square " + chiSquare);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({"default,plain", "SunJCE,random", "SunJCE,rsa-zeros", "bouncycastle,rsa-zeros", "SunJCE,rsa-raw",
      "bouncycastle,rsa-raw"})
  void controlsAreCountedOverTheSameGraphs(String provider, String stream) throws Exception {
    Map<String, long[]> found = iteration(workload(provider, stream, "RSA", 1024, "CBC"));
    assertEquals(4, found.size());
    long one = Arrays.stream(found.get("bytes.1")).sum();
    long all = Arrays.stream(found.get("bytes.100")).sum();
    assertTrue(one > 4000 && one < 7000 && all > 80 * one && all < 125 * one, one + ", " + all);
    if (stream.equals("plain")) {
      assertEquals(Arrays.stream(found.get("bytes.100")).max().getAsLong(), found.get("bytes.100")[0]);
    }
  }

  @Test
  void anUnknownStreamIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> workload("default", "zip", "AES", 128, "CBC").setUp());
  }

  @Test
  void aCipherThatCantBeUndoneIsFound() {
    assertThrows(IllegalStateException.class,
        () -> workload(Workloads.broken("decrypt"), "cipher", "AES", 128, "ECB").setUp());
  }
}
