package jcarerun.probe;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The flags that make a JVM like the running one write its logs. */
public final class LogFlags {
  private LogFlags() {}

  /** A log of collections and safepoints: the unified log from JDK 9 on, the older format on JDK 8. */
  public static List<String> collections(String file) {
    return collections(file, System.getProperty("java.specification.version").startsWith("1."));
  }

  static List<String> collections(String file, boolean jdk8) {
    return jdk8
        ? Arrays.asList("-Xloggc:" + file, "-XX:+PrintGCDetails", "-XX:+PrintGCDateStamps",
            "-XX:+PrintGCTimeStamps", "-XX:+PrintGCApplicationStoppedTime")
        : Collections.singletonList("-Xlog:gc*,safepoint:file=" + file + ":time,uptime,level,tags:filecount=0");
  }

  /**
   * A log of what HotSpot compiled, when, at which tier, and what its second compiler did with every call: the same
   * lines from JDK 8 on. Compiler threads write it, to a file of its own and not to what a fork prints.
   */
  public static List<String> compilations(String file) {
    return Arrays.asList("-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintCompilation", "-XX:+PrintInlining",
        "-XX:+LogVMOutput", "-XX:LogFile=" + file, "-XX:-DisplayVMOutput");
  }
}
