package jcarerun;

import java.io.File;
import java.util.Arrays;

/** The jars of GNU Crypto and Cryptix, from the tests' class path, loaded as a round loads them. */
public final class OtherProviders {
  private OtherProviders() {}

  /** Lets the ids {@code bouncycastle}, {@code gnu-crypto} and {@code cryptix} stand for them. */
  public static void define() {
    BouncyCastle.define();
    System.setProperty("jcarerun.provider.gnu-crypto", "gnu.crypto.jce.GnuCrypto@" + jar("gnu-crypto-2.0.1.jar"));
    System.setProperty("jcarerun.provider.cryptix", "jcarerun.adapter.CryptixProvider@" + jar("cryptix-3.2.0.jar"));
  }

  /** What the property of an id says, as an option of a JVM. */
  public static String option(String id) {
    define();
    return "-Djcarerun.provider." + id + "=" + System.getProperty("jcarerun.provider." + id);
  }

  private static String jar(String name) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> path.endsWith(File.separator + name)).findFirst().map(path -> new File(path).getAbsolutePath())
        .orElseThrow(() -> new IllegalStateException(name + " isn't on the class path"));
  }
}
