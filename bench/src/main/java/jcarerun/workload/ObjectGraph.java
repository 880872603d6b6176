package jcarerun.workload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Object graphs of about 5 KB once serialised: the same graph from the same seed, in every JVM. */
final class ObjectGraph {
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
  static void write(Node root, OutputStream out) throws IOException {
    try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
      objects.writeObject(root);
    }
  }

  /** Reads a graph from a stream and closes it. */
  static Node read(InputStream in) throws IOException {
    try (ObjectInputStream objects = new ObjectInputStream(in)) {
      return (Node) objects.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /** A graph's plain serialised form. */
  static byte[] bytes(Node root) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
    write(root, out);
    return out.toByteArray();
  }

  /** The graph of a plain serialised form. */
  static Node of(byte[] bytes) throws IOException {
    return read(new ByteArrayInputStream(bytes));
  }

  /** Whether two graphs are equal in every value, and in which references lead to the same node. */
  static boolean same(Node one, Node two) {
    Map<Node, Node> twins = new IdentityHashMap<>();
    Map<Node, Node> back = new IdentityHashMap<>();
    return same(one, two, twins, back);
  }

  private static boolean same(Node one, Node two, Map<Node, Node> twins, Map<Node, Node> back) {
    if (one == null || two == null) {
      return one == two;
    }
    if (twins.containsKey(one) || back.containsKey(two)) {
      return twins.get(one) == two && back.get(two) == one;
    }
    twins.put(one, two);
    back.put(two, one);
    if (!sameValues(one, two) || one.children.size() != two.children.size()
        || !same(one.parent, two.parent, twins, back) || !same(one.other, two.other, twins, back)) {
      return false;
    }
    Iterator<Node> others = two.children.iterator();
    for (Node child : one.children) {
      if (!same(child, others.next(), twins, back)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameValues(Node one, Node two) {
    // Doubles by their bits; maps also in the order of their keys.
    return one.number == two.number && one.time == two.time && one.open == two.open
        && Double.doubleToLongBits(one.weight) == Double.doubleToLongBits(two.weight)
        && one.name.equals(two.name) && Arrays.equals(one.series, two.series) && one.notes.equals(two.notes)
        && new ArrayList<>(one.notes.keySet()).equals(new ArrayList<>(two.notes.keySet()));
  }
}
