package jcarerun.probe;

/** An operation gave something other than what it must; the message names algorithm, provider and difference. */
public final class WrongAnswer extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /** With the whole message. */
  public WrongAnswer(String message) {
    super(message);
  }
}
