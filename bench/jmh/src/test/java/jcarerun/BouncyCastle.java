package jcarerun;

import java.io.File;
import java.net.URISyntaxException;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** The Bouncy Castle jar of the tests, loaded as a round loads it. */
public final class BouncyCastle {
  private BouncyCastle() {}

  /** Where the jar lies. */
  public static File jar() {
    try {
      return new File(BouncyCastleProvider.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lets the id {@code bouncycastle} stand for it. */
  public static void define() {
    System.setProperty("jcarerun.provider.bouncycastle", BouncyCastleProvider.class.getName() + "@" + jar());
  }
}
