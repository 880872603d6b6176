package jcarerun.probe;

import java.util.Arrays;
import java.util.List;

/**
 * The flags that make a JVM write what HotSpot compiled, when, at which tier, and what its second compiler did with
 * every call: the same lines from JDK 8 on.
 *
 * <p>The log goes to a file of its own, so that nothing is added to what a fork prints. Compiler threads write it; in a
 * JVM whose code is compiled nobody writes.
 */
public final class CompilerLog {
  private CompilerLog() {}

  /** JVM arguments for a log in the given file. */
  public static List<String> flags(String file) {
    return Arrays.asList("-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintCompilation", "-XX:+PrintInlining",
        "-XX:+LogVMOutput", "-XX:LogFile=" + file, "-XX:-DisplayVMOutput");
  }
}
