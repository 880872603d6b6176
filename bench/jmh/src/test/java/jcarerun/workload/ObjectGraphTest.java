package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Object graphs: deterministic, different, of about 5 KB, and compared in full. */
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
}
