package jcarerun.kit;

/** Something that whoever runs the kit can put right; the message is one line and all they see. */
final class KitError extends RuntimeException {
  private static final long serialVersionUID = 1;

  KitError(String message) {
    super(message.replaceAll("\\s*[\\r\\n]+\\s*", " "));
  }
}
