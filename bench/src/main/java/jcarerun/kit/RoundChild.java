package jcarerun.kit;

import java.io.IOException;
import jcarerun.round.RoundMain;

/** Runs a round as RoundMain does, and ends when the kit, which holds the other end of its input, is gone. */
public final class RoundChild {
  private static final int EXIT_CODE = 143;

  private RoundChild() {}

  /** Arguments are RoundMain's. */
  public static void main(String[] args) {
    Thread watch = new Thread(() -> {
      try {
        while (System.in.read() >= 0) {
          // Nothing is ever sent.
        }
      } catch (IOException e) {
        // The same: the kit is gone.
      }
      Runtime.getRuntime().halt(EXIT_CODE);
    }, "jcarerun-kit-watch");
    watch.setDaemon(true);
    watch.start();
    RoundMain.main(args);
  }
}
