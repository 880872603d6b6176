package jcarerun.tls;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * A web server's JVM: a Jetty, ruled by its standard input as {@link ServerMain} is.
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

  /**
   * Arguments for a server.
   *
   * @param jetty 7 or 12
   * @param page length of the page in bytes
   * @param workUs CPU time that a request takes before the page is sent
   * @param key kind of the server's key, see {@link Certificates}
   */
  public static List<String> args(String jetty, String scheme, int page, int workUs, String key) {
    isTls(scheme);
    if (!Arrays.asList("7", "12").contains(jetty)) {
      throw new IllegalArgumentException("jetty must be 7 or 12, is " + jetty);
    }
    return Arrays.asList(jetty, scheme, String.valueOf(page), String.valueOf(workUs), key);
  }

  /**
   * Serves until the standard input ends.
   *
   * @param args of {@link #args}
   */
  public static void main(String[] args) throws IOException, GeneralSecurityException {
    PrintStream out = System.out;
    System.setOut(System.err);
    Cpus.takeServers();
    if (args[4].startsWith("dsa")) {
      Settings.applyOldSecurity();
    }
    SSLContext context =
        isTls(args[1]) ? Certificates.context(Certificates.get(args[4]), "server", "client", null) : null;
    Site site = new Site(Integer.parseInt(args[2]), Site.computing(Integer.parseInt(args[3])));
    int port = args[0].equals("7")
        ? Jetty.seven("selector", THREADS, context, site).port() : Jetty.twelve(THREADS, context, site).port();
    Server.answer(out, port, () -> Server.Reading.line(cpuNs(), 0, 0, ""));
  }

  /** Of the threads that live: Jetty's end after a minute without work, later than any iteration. */
  private static long cpuNs() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    return Arrays.stream(bean.getAllThreadIds()).map(id -> Math.max(0, bean.getThreadCpuTime(id))).sum();
  }
}
