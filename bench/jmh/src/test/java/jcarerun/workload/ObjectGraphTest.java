package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import jcarerun.TestProviders;
import jcarerun.probe.Observations;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Object graphs: deterministic, different, of about 5 KB, compared in full; and the counts of their bytes. */
class ObjectGraphTest {
  @Test
  void aSeedAlwaysGivesTheSameBytes() throws Exception {
    assertArrayEquals(ObjectGraph.bytes(ObjectGraph.make(7)), ObjectGraph.bytes(ObjectGraph.make(7)));
  }

  @Test
  void aHundredGraphsDifferAndHaveAboutFiveKilobytes() throws Exception {
    Set<String> seen = new HashSet<>();
    long sum = 0;
    for (int seed = 0; seed < 100; seed++) {
      byte[] bytes = ObjectGraph.bytes(ObjectGraph.make(seed));
      assertTrue(bytes.length > 4300 && bytes.length < 5900, seed + ": " + bytes.length);
      sum += bytes.length;
      seen.add(new String(bytes, "ISO-8859-1"));
    }
    assertTrue(seen.size() == 100 && sum > 480_000 && sum < 530_000, seen.size() + ", " + sum);
  }

  @ParameterizedTest
  @EnumSource
  void everyKindIsTheSameFromItsSeedAndOfItsSize(ObjectGraph.Kind kind) throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      byte[] bytes = ObjectGraph.bytes(ObjectGraph.make(kind, seed));
      assertArrayEquals(bytes, ObjectGraph.bytes(ObjectGraph.make(kind, seed)));
      assertTrue(bytes.length > 3500 && bytes.length < 7000, kind + " " + seed + ": " + bytes.length);
      assertTrue(ObjectGraph.same(ObjectGraph.make(kind, seed), ObjectGraph.of(bytes)));
      assertFalse(ObjectGraph.same(ObjectGraph.make(kind, seed + 1), ObjectGraph.of(bytes)));
    }
  }

  @Test
  void readingBackKeepsSharedAndCyclicReferences() throws Exception {
    Node made = ObjectGraph.make(3);
    Node read = (Node) ObjectGraph.of(ObjectGraph.bytes(made));
    assertTrue(ObjectGraph.same(made, read));
    assertSame(read, read.children.get(0).parent);
  }

  private static boolean stillSame(Consumer<Node> change) throws Exception {
    Node made = ObjectGraph.make(3);
    Node read = (Node) ObjectGraph.of(ObjectGraph.bytes(made));
    change.accept(read);
    return ObjectGraph.same(made, read) || ObjectGraph.same(read, made);
  }

  @Test
  void everyKindOfDifferenceIsFound() throws Exception {
    assertFalse(stillSame(node -> node.number++));
    assertFalse(stillSame(node -> node.children.get(0).time++));
    assertFalse(stillSame(node -> node.children.get(0).weight = -node.children.get(0).weight - 1));
    assertFalse(stillSame(node -> node.open = !node.open));
    assertFalse(stillSame(node -> node.name += "x"));
    assertFalse(stillSame(node -> node.series = new int[99]));
    assertFalse(stillSame(node -> node.notes.put("new", 1)));
    assertFalse(stillSame(node -> node.children.add(new Node())));
    assertFalse(stillSame(node -> node.children.get(0).parent = null));
    assertFalse(stillSame(node -> node.other = node.other == node ? null : node));
  }

  @Test
  void anEqualCopyInPlaceOfASharedNodeIsFound() throws Exception {
    assertFalse(stillSame(node -> node.children.get(0).parent = ObjectGraph.make(3)));
  }

  @BeforeEach
  void forgetWhatOthersObserved() {
    TestProviders.define();
    Observations.take();
  }

  private static ByteCounts workload(String provider, String stream, String algorithm, int bits, String mode) {
    return Workloads.of(ByteCounts.class, provider, "stream", stream, "algorithm", algorithm, "bits", bits,
        "mode", mode, "objects", ObjectGraph.Kind.graph);
  }

  private static Map<String, long[]> iteration(ByteCounts workload) throws Exception {
    workload.setUp();
    return Workloads.counts(workload, workload::count, 1);
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
