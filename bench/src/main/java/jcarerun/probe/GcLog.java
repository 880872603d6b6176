package jcarerun.probe;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The flags that make a JVM like the running one write its GC and safepoint log. */
public final class GcLog {
  private GcLog() {}

  /** JVM arguments for a log in the given file: the unified log from JDK 9 on, the older format on JDK 8. */
  public static List<String> flags(String file) {
    return flags(file, System.getProperty("java.specification.version").startsWith("1."));
  }

  static List<String> flags(String file, boolean jdk8) {
    return jdk8
        ? Arrays.asList("-Xloggc:" + file, "-XX:+PrintGCDetails", "-XX:+PrintGCDateStamps",
            "-XX:+PrintGCTimeStamps", "-XX:+PrintGCApplicationStoppedTime")
        : Collections.singletonList("-Xlog:gc*,safepoint:file=" + file + ":time,uptime,level,tags:filecount=0");
  }
}
