package jcarerun.workload;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node of an {@link ObjectGraph}: numbers, texts, collections, and references that are shared and cyclic. */
final class Node implements Serializable {
  private static final long serialVersionUID = 1L;

  int number;
  long time;
  double weight;
  boolean open;
  String name;
  int[] series;
  /** The node that has this one among its children: a cycle. */
  Node parent;
  /** Any node of the graph, often one that others refer to as well. */
  Node other;
  final List<Node> children = new ArrayList<>();
  final Map<String, Object> notes = new LinkedHashMap<>();
}
