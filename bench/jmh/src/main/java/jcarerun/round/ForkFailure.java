package jcarerun.round;

/** A fork didn't do what it had to; the message is one line. */
final class ForkFailure extends RuntimeException {
  ForkFailure(String message, Throwable cause) {
    super(message.replaceAll("\\s*[\\r\\n]+\\s*", " "), cause);
  }

}
