package jcarerun.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** How often the running thread had to leave its CPU for another one, as Linux counts it; unknown elsewhere. */
final class ThreadSwitches {
  private static final Path STATUS = Paths.get("/proc/thread-self/status");
  private static final String KEY = "nonvoluntary_ctxt_switches:";
  /** Wine shows Windows' JVM the file of Wine's own server. */
  private static final boolean KNOWN = !System.getProperty("os.name").startsWith("Windows")
      && Files.isReadable(STATUS) && read() != null;

  private ThreadSwitches() {}

  /** Involuntary context switches of this thread until now, or null where the system doesn't tell. */
  static Long involuntary() {
    return KNOWN ? read() : null;
  }

  private static Long read() {
    try {
      return parse(new String(Files.readAllBytes(STATUS), StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new IllegalStateException("can't read " + STATUS + ": " + e.getMessage(), e);
    }
  }

  /** The count in the text of proc(5)'s status; null if it has none. */
  static Long parse(String status) {
    int key = status.indexOf(KEY);
    return key < 0 ? null : Long.valueOf(status.substring(key + KEY.length()).trim().split("\\s")[0]);
  }
}
