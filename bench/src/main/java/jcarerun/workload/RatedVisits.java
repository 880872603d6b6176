package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import jcarerun.probe.Measures;
import jcarerun.probe.Observations;
import jcarerun.probe.SharesItsCpus;
import jcarerun.tls.Certificates;
import jcarerun.tls.Jetty7;
import jcarerun.tls.LoadGenerator;
import jcarerun.tls.Server;
import jcarerun.tls.TlsContexts;
import jcarerun.tls.Visitor;
import jcarerun.tls.WebMain;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * Today's Jetty in a JVM of its own under a load of a fixed rate, by TLS or plain HTTP over kept connections.
 *
 * <p>The operation is a load of a given length, so that its time says nothing; what does are its observations: answered
 * requests a second ({@code throughput}), their part of those that were due ({@code answered-of-due}), the latency from
 * the due time on, and the server's CPU time a request ({@code server-cpu-a-request}).
 */
@Measures({"throughput", "answered-of-due", "server-cpu-a-request", "latency"})
public class RatedVisits extends Workload implements SharesItsCpus {
  private static final int LIMIT_MS = 20_000;

  /** http or https. */
  @Param("https")
  public String scheme;

  /** Requests a second. */
  @Param("1000")
  public int rate;

  /** Kept connections, each with a thread of the client. */
  @Param("16")
  public int connections;

  /** Length of a load. */
  @Param("500")
  public int loadMs;

  private final List<Visitor> pool = new ArrayList<>();
  private Server server;
  private LoadGenerator generator;
  private LoadGenerator.Result result;
  private long cpuNs;

  @Override
  protected String subject() {
    return "Jetty 12 by " + scheme + " at " + rate + " requests a second";
  }

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    boolean tls = WebMain.isTls(scheme);
    SSLContext context = tls ? TlsContexts.make(Certificates.get("rsa-2048"), "client", "server", jca) : null;
    server = new Server(WebMain.class, WebMain.args(scheme));
    for (int i = 0; i < connections; i++) {
      pool.add(new Visitor(context, server.port(), LIMIT_MS));
    }
    generator = new LoadGenerator(pool, rate);
  }

  @Override
  protected void verify(Check check) throws IOException {
    for (Visitor visitor : pool) {
      check.that("the page is another", visitor.get().equals(Jetty7.PAGE));
    }
    cpuNs = server.read().cpuNs;
  }

  /** A load from its beginning to its end. */
  @Benchmark
  public long load() throws IOException {
    result = generator.run(TimeUnit.MILLISECONDS.toNanos(loadMs));
    return result.answered;
  }

  @Override
  protected void ended(Check check) {
    check.that("no request was answered", result.answered > 0);
    long now = server.read().cpuNs;
    Observations.add("throughput", result.throughput());
    Observations.add("answered-of-due", (double) result.answered / result.due);
    Observations.add("server-cpu-a-request", (double) (now - cpuNs) / result.answered);
    Observations.counts("latency", result.latencies.take());
    cpuNs = now;
  }

  @Override
  protected void discard() throws IOException {
    for (Visitor visitor : pool) {
      visitor.close();
    }
    pool.clear();
    if (server != null) {
      Server leaving = server;
      server = null;
      leaving.close();
    }
  }
}
