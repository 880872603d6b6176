package jcarerun;

import java.io.File;
import java.util.Arrays;

/** The jars of Bouncy Castle, GNU Crypto and Cryptix, from the tests' class path, loaded as a round loads them. */
public final class TestProviders {
  private TestProviders() {}

  /** Lets the ids {@code bouncycastle}, {@code gnu-crypto} and {@code cryptix} stand for them. */
  public static void define() {
    System.setProperty("jcarerun.provider.bouncycastle",
        "org.bouncycastle.jce.provider.BouncyCastleProvider@" + jar("bcprov-jdk18on"));
    System.setProperty("jcarerun.provider.gnu-crypto", "gnu.crypto.jce.GnuCrypto@" + jar("gnu-crypto"));
    System.setProperty("jcarerun.provider.cryptix", "jcarerun.adapter.CryptixProvider@" + jar("cryptix"));
  }

  /** What the property of an id says, as an option of a JVM. */
  public static String option(String id) {
    define();
    return "-Djcarerun.provider." + id + "=" + System.getProperty("jcarerun.provider." + id);
  }

  /** Where the jar of a name lies, whatever its version. */
  static String jar(String name) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).map(File::new)
        .filter(jar -> jar.getName().matches(name + "-[0-9.]+\\.jar")).findFirst().map(File::getAbsolutePath)
        .orElseThrow(() -> new IllegalStateException(name + " isn't on the class path"));
  }
}
