package jcarerun.tls;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * A web server's JVM: today's Jetty, ruled by its standard input as {@link ServerMain} is.
 *
 * <p>It tells the CPU time of its threads alone; what was answered is for the client to count.
 */
public final class WebMain {
  private static final int THREADS = 64;

  private WebMain() {}

  /** Whether a scheme is https; refuses what is neither. */
  public static boolean isTls(String scheme) {
    if (!Arrays.asList("http", "https").contains(scheme)) {
      throw new IllegalArgumentException("scheme must be http or https, is " + scheme);
    }
    return scheme.equals("https");
  }

  /** Arguments for a server of a scheme. */
  public static List<String> args(String scheme) {
    isTls(scheme);
    return Collections.singletonList(scheme);
  }

  /**
   * Serves until the standard input ends.
   *
   * @param args of {@link #args}
   */
  public static void main(String[] args) throws IOException, GeneralSecurityException {
    PrintStream out = System.out;
    System.setOut(System.err);
    SSLContext context =
        isTls(args[0]) ? TlsContexts.make(Certificates.get("rsa-2048"), "server", "client", null) : null;
    out.println(new Jetty12(THREADS, context).port());
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(cpuNs() + " 0 0 ");
    }
    Runtime.getRuntime().halt(0);
  }

  /** Of the threads that live: Jetty's end after a minute without work, later than any iteration. */
  private static long cpuNs() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    return Arrays.stream(bean.getAllThreadIds()).map(id -> Math.max(0, bean.getThreadCpuTime(id))).sum();
  }
}
