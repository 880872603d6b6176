package jcarerun.probe;

import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The methods that had code of HotSpot's second compiler at a moment, by its diagnostic command {@code
 * Compiler.codelist} (JDK 9 and later). To ask takes milliseconds.
 */
public final class CodeList {
  /** Tier 4; state 0 is code that may be entered. They stand between the compile id and the method. */
  private static final String SECOND = " 4 0 ";

  /** With the types of parameters, as {@code class.method(types)result}. */
  private final Set<String> methods = new HashSet<>();
  private final boolean available;

  private CodeList(boolean available) {
    this.available = available;
  }

  /** What there is now. */
  public static CodeList now() {
    String list;
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
      list = String.valueOf(server.invoke(commands, "compilerCodelist", null, null));
    } catch (JMException | RuntimeException e) {
      return new CodeList(false);
    }
    CodeList now = new CodeList(true);
    for (int begin = 0, end; (end = list.indexOf('\n', begin)) >= 0; begin = end + 1) {
      int second = list.indexOf(SECOND, begin);
      if (second < 0) {
        break;
      }
      int name = second + SECOND.length();
      if (second < end) {
        now.methods.add(list.substring(name, list.indexOf(' ', name)));
      }
    }
    return now;
  }

  /**
   * Whether a method has such code; true too where the JVM has no such list.
   *
   * @param method as {@code class::method}
   */
  public boolean has(String method) {
    String called = method.replace("::", ".") + "(";
    return !available || methods.stream().anyMatch(each -> each.startsWith(called));
  }

  /** Whether the JVM has such a list. */
  public boolean isAvailable() {
    return available;
  }

  /** Whether all that had such code then has it still. */
  public boolean keeps(CodeList then) {
    return methods.containsAll(then.methods);
  }
}
