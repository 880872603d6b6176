package jcarerun;

import java.io.File;

/** Tells Windows' build of a JVM on Wine from one on Windows. */
public final class Wine {
  private Wine() {}

  /** Whether this JVM runs on Wine, which brings a program that Windows hasn't. */
  public static boolean isRunning() {
    String root = System.getenv("SystemRoot");
    return System.getProperty("os.name").startsWith("Windows") && root != null
        && new File(root, "system32\\winecfg.exe").exists();
  }
}
