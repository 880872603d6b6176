package jcarerun.probe;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Which code HotSpot has compiled so far, by its diagnostic command {@code Compiler.codelist} (JDK 9 and later). */
public final class CodeList {
  private CodeList() {}

  /**
   * Whether the second compiler's code of a method is there; true too where the JVM doesn't tell.
   *
   * @param method as {@code class::method}
   */
  public static boolean hasSecond(String method) {
    String called = " " + method.replace("::", ".") + "(";
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
      for (String line : String.valueOf(server.invoke(commands, "compilerCodelist", null, null)).split("\n")) {
        // <compile id> <tier> <state> <method>(<parameters>) [addresses]; state 0 is code that may be entered.
        if (line.contains(called) && line.trim().matches("\\d+ +4 +0 .*")) {
          return true;
        }
      }
      return false;
    } catch (JMException | RuntimeException e) {
      return true;
    }
  }
}
