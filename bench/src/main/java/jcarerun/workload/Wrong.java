package jcarerun.workload;

/** An operation gave something other than what it must; the message names algorithm, provider and difference. */
public final class Wrong extends IllegalStateException {
  private static final long serialVersionUID = 1;

  Wrong(String message) {
    super(message);
  }
}
