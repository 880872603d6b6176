package jcarerun.probe;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** How long this JVM's compilers have worked. */
public final class CompilerTime {
  private static final CompilationMXBean BEAN = ManagementFactory.getCompilationMXBean();

  private CompilerTime() {}

  /** Milliseconds until now, all compiler threads together, or null where the JVM doesn't tell. */
  public static Long millis() {
    return BEAN == null || !BEAN.isCompilationTimeMonitoringSupported() ? null
        : Long.valueOf(BEAN.getTotalCompilationTime());
  }
}
