package jcarerun.workload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Objects of about 5 KB once serialised: the same from the same seed, in every JVM. The kinds differ in how regular
 * their bytes are, and in how much work it is to serialise them.
 */
public final class ObjectGraph {
  /** What an object is made of. */
  public enum Kind {
    /** Linked nodes with numbers, texts and collections, shared and cyclic references. */
    graph,
    /** Lines of a text that looks like English. */
    text,
    /** Small numbers in an array: most of their bytes are zero. */
    numbers,
    /** Rows with the same keys, as of a table. */
    rows,
    /** Random bytes, as of a picture. */
    bytes
  }

  private static final int BYTES = 5000;

  private static final int NODES = 36;
  private static final String[] NAMES = {
    "order", "customer", "address", "invoice", "article", "delivery", "account", "contract", "payment", "remark",
  };

  private ObjectGraph() {}

  /** Makes the graph of a seed; returns its root. */
  static Node make(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + 2008);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      Node node = new Node();
      fill(node, i, random);
      if (i > 0) {
        node.parent = nodes.get(random.nextInt(i));
        node.parent.children.add(node);
      }
      nodes.add(node);
    }
    for (Node node : nodes) {
      node.other = random.nextInt(4) == 0 ? null : nodes.get(random.nextInt(NODES));
    }
    return nodes.get(0);
  }

  /** Makes the object of a kind and a seed. */
  static Object make(Kind kind, long seed) {
    Random random = new Random(seed);
    switch (kind) {
      case graph:
        return make(seed);
      case text:
        int start = random.nextInt(BYTES);
        String all = new String(Contents.make("text", 2 * BYTES), StandardCharsets.US_ASCII);
        return new ArrayList<>(Arrays.asList(all.substring(start, start + BYTES).split("\n")));
      case numbers:
        return random.ints(BYTES / 4, 0, 1000).toArray();
      case rows:
        return rows(random);
      default:
        byte[] made = new byte[BYTES];
        random.nextBytes(made);
        return made;
    }
  }

  private static List<Map<String, Object>> rows(Random random) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("number", i);
      row.put("name", NAMES[random.nextInt(NAMES.length)] + ' ' + random.nextInt(1000));
      row.put("amount", random.nextInt(100_000));
      row.put("open", random.nextBoolean());
      rows.add(row);
    }
    return rows;
  }

  private static void fill(Node node, int number, Random random) {
    node.number = number;
    node.time = 1_200_000_000_000L + random.nextInt(Integer.MAX_VALUE);
    node.weight = random.nextInt(1000) / 8.0;
    node.open = random.nextBoolean();
    node.name = NAMES[random.nextInt(NAMES.length)] + ' ' + random.nextInt(1000);
    node.series = new int[random.nextInt(6)];
    for (int i = 0; i < node.series.length; i++) {
      node.series[i] = random.nextInt(500);
    }
    int notes = random.nextInt(3);
    for (int i = 0; i < notes; i++) {
      String key = NAMES[random.nextInt(NAMES.length)];
      node.notes.put(key, random.nextBoolean() ? (Object) random.nextInt(100) : "see " + key);
    }
  }

  /** Serialises a graph to a stream and closes it. */
  static void write(Object root, OutputStream out) throws IOException {
    try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
      objects.writeObject(root);
    }
  }

  /** Reads a graph from a stream and closes it. */
  static Object read(InputStream in) throws IOException {
    try (ObjectInputStream objects = new ObjectInputStream(in)) {
      return objects.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /** A graph's plain serialised form. */
  static byte[] bytes(Object root) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
    write(root, out);
    return out.toByteArray();
  }

  /** The graph of a plain serialised form. */
  static Object of(byte[] bytes) throws IOException {
    return read(new ByteArrayInputStream(bytes));
  }

  /** Whether two objects are equal in every value; graphs also in which references lead to the same node. */
  static boolean same(Object first, Object second) {
    return first instanceof Node && second instanceof Node
        ? same((Node) first, (Node) second, new IdentityHashMap<>(), new IdentityHashMap<>())
        : Objects.deepEquals(first, second);
  }

  private static boolean same(Node first, Node second, Map<Node, Node> twins, Map<Node, Node> back) {
    if (first == null || second == null) {
      return first == second;
    }
    if (twins.containsKey(first) || back.containsKey(second)) {
      return twins.get(first) == second && back.get(second) == first;
    }
    twins.put(first, second);
    back.put(second, first);
    if (!sameValues(first, second) || first.children.size() != second.children.size()
        || !same(first.parent, second.parent, twins, back) || !same(first.other, second.other, twins, back)) {
      return false;
    }
    Iterator<Node> others = second.children.iterator();
    for (Node child : first.children) {
      if (!same(child, others.next(), twins, back)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameValues(Node first, Node second) {
    // Doubles by their bits; maps also in the order of their keys.
    return first.number == second.number && first.time == second.time && first.open == second.open
        && Double.doubleToLongBits(first.weight) == Double.doubleToLongBits(second.weight)
        && first.name.equals(second.name) && Arrays.equals(first.series, second.series)
        && first.notes.equals(second.notes)
        && new ArrayList<>(first.notes.keySet()).equals(new ArrayList<>(second.notes.keySet()));
  }
}
