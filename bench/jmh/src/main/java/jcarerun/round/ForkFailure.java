package jcarerun.round;

import jcarerun.probe.Deadline;

/** A fork didn't do what it had to; the message is one line. */
final class ForkFailure extends RuntimeException {
  ForkFailure(String message, Throwable cause) {
    super(message.replaceAll("\\s*[\\r\\n]+\\s*", " "), cause);
  }

  /** What lies at the bottom of an exception of JMH's, which hides the benchmark's own among the suppressed ones. */
  static String rootCause(Throwable failure) {
    Throwable root = failure;
    for (Throwable next = next(root); next != null && next != root; next = next(root)) {
      root = next;
    }
    String message = String.valueOf(root.getMessage());
    if (message.endsWith("exit code " + Deadline.EXIT_CODE)) {
      return "didn't end within its time (--fork-timeout)";
    }
    // Ours are written to be read alone; others need their type.
    return root.getClass() == IllegalStateException.class || root.getClass() == IllegalArgumentException.class
        ? message : root.toString();
  }

  private static Throwable next(Throwable failure) {
    if (failure.getCause() != null) {
      return failure.getCause();
    }
    return failure.getSuppressed().length == 0 ? null : failure.getSuppressed()[0];
  }
}
