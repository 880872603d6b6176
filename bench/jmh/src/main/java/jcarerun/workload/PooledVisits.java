package jcarerun.workload;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import jcarerun.probe.Observations;
import jcarerun.probe.Observations.Measures;
import jcarerun.probe.ProbedWorkload.SharesItsCpus;
import jcarerun.tls.Certificates;
import jcarerun.tls.Jetty;
import jcarerun.tls.Site;
import jcarerun.tls.Visitor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * A pool of kept-alive TLS connections to a Jetty 7 with fewer threads: does every connection get its answer? Beside
 * those that had one, {@code free-threads} are the threads that the server had for connections before there were any.
 *
 * <p>Connections are opened one after the other, each asks once and stays open. The first that has no answer within the
 * limit shows that the server is frozen; what its threads did then is written to {@code jmh/NNN-frozen.txt}.
 */
@Measures({"answered", "answered-share", "free-threads"})
public class PooledVisits extends Workload implements SharesItsCpus {
  private static final int FIRST_LIMIT_MS = 20_000;
  private static final int PAGE_BYTES = 9;

  /** Jetty's connector: blocking or selector. */
  @Param("selector")
  public String connector;

  /** Threads of the server, the acceptor's among them. */
  @Param("8")
  public int threads;

  /** Connections of the pool. */
  @Param("16")
  public int connections;

  /** How long an answer may take. */
  @Param("3000")
  public int limitMs;

  private SSLContext client;
  private Jetty server;
  private int answered;
  private int freeThreads;

  @Override
  protected String subject() {
    return "Jetty 7 with its " + connector + " connector";
  }

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    KeyStore store = Certificates.get("rsa-2048");
    client = Certificates.context(store, "client", "server", jca);
    server = closing(Jetty.seven(connector, threads, Certificates.context(store, "server", "client", jca),
        new Site(PAGE_BYTES, Site.waiting(0))));
    freeThreads = server.freeThreads();
  }

  /** A JVM's first handshake is slow, and would be counted as no answer. */
  @Override
  protected boolean checksBefore() {
    return true;
  }

  @Override
  protected void verify(Check check) throws IOException {
    try (Visitor visitor = new Visitor(client, server.port(), FIRST_LIMIT_MS)) {
      for (int i = 0; i < 2; i++) {
        check.that("the page is another", visitor.get().equals(Site.page(PAGE_BYTES)));
      }
    }
  }

  /** Opens the pool, connection after connection, until all have an answer or one has none in time. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public int visit() throws IOException {
    List<Visitor> pool = new ArrayList<>();
    answered = 0;
    try {
      while (answered < connections) {
        Visitor visitor = new Visitor(client, server.port(), limitMs);
        pool.add(visitor);
        visitor.get();
        answered++;
      }
    } catch (IOException e) {
      if (!isTimeout(e)) {
        throw e;
      }
      keepThreads();
    } finally {
      for (Visitor visitor : pool) {
        visitor.close();
      }
    }
    return answered;
  }

  /** JSSE hides a time limit that passed in a handshake behind an exception of its own. */
  private static boolean isTimeout(Throwable failure) {
    return failure != null && (failure instanceof SocketTimeoutException || isTimeout(failure.getCause()));
  }

  private void keepThreads() throws IOException {
    String fork = System.getProperty("jcarerun.fork");
    if (fork == null) {
      return;
    }
    StringBuilder text = new StringBuilder();
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, false)) {
      text.append('"').append(thread.getThreadName()).append("\" ").append(thread.getThreadState()).append('\n');
      for (StackTraceElement call : thread.getStackTrace()) {
        text.append("  at ").append(call).append('\n');
      }
    }
    Path file = Paths.get("jmh", String.format("%03d-frozen.txt", Integer.parseInt(fork)));
    Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  protected void ended(Check check) {
    Observations.add("answered", answered);
    Observations.add("free-threads", freeThreads);
    Observations.add("answered-share", (double) answered / connections);
  }

}
