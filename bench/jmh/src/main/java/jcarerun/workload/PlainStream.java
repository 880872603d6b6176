package jcarerun.workload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import jcarerun.probe.Observations.Measures;

/** Serialises an object and reads it back, without any cipher: what the ciphers' costs are compared with. */
@Measures({"step.serialise", "step.deserialise"})
public class PlainStream extends ObjectStream {
  private final Steps steps = new Steps("step.serialise", "step.deserialise");
  private byte[] bytes;

  @Override
  protected String subject() {
    return "plain serialisation";
  }

  @Override
  protected Object operation(Object object) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
    steps.start();
    ObjectGraph.write(object, out);
    steps.lap(0);
    bytes = out.toByteArray();
    steps.start();
    Object back = ObjectGraph.read(new ByteArrayInputStream(bytes));
    steps.lap(1);
    steps.done();
    return back;
  }

  @Override
  protected void warmed() {
    steps.forget();
  }

  @Override
  protected void ended(Check check, Object object) throws IOException {
    steps.observe();
    check.same("serialised object", ObjectGraph.bytes(object), bytes);
  }
}
