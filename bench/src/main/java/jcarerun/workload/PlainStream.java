package jcarerun.workload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import jcarerun.probe.Measures;

/** Serialises an object graph and reads it back, without any cipher: what the ciphers' costs are held against. */
@Measures({"step.serialise", "step.deserialise"})
public class PlainStream extends ObjectStream {
  private final Steps steps = new Steps("serialise", "deserialise");
  private byte[] bytes;

  @Override
  protected String subject() {
    return "plain serialisation";
  }

  @Override
  protected Node operation(Node graph) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
    steps.start();
    ObjectGraph.write(graph, out);
    steps.lap(0);
    bytes = out.toByteArray();
    steps.start();
    Node back = ObjectGraph.read(new ByteArrayInputStream(bytes));
    steps.lap(1);
    steps.done();
    return back;
  }

  @Override
  protected void warmed(Check check) {
    steps.forget();
  }

  @Override
  protected void ended(Check check, Node graph) throws IOException {
    steps.observe();
    check.same("serialised graph", ObjectGraph.bytes(graph), bytes);
  }
}
