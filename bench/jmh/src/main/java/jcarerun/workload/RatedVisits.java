package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import jcarerun.probe.Observations;
import jcarerun.probe.Observations.Measures;
import jcarerun.probe.ProbedWorkload.SharesItsCpus;
import jcarerun.tls.Certificates;
import jcarerun.tls.Cpus;
import jcarerun.tls.LoadGenerator;
import jcarerun.tls.LoadMeter;
import jcarerun.tls.Server;
import jcarerun.tls.Settings;
import jcarerun.tls.Site;
import jcarerun.tls.Visitor;
import jcarerun.tls.WebMain;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * A Jetty in a JVM of its own under a load of a fixed rate, by TLS or plain HTTP over kept connections.
 *
 * <p>The operation is a load of a given length, so that its time says nothing; what does are its observations: what
 * client and server did meanwhile ({@link LoadMeter}), the answered requests' part of those that were due
 * ({@code answered-of-due}), the latency from the due time on, and the CPU time of the server's threads a request
 * ({@code server-cpu-a-request}).
 */
@Measures({"answered-of-due", "server-cpu-a-request", "latency", "load.span", "load.done", "load.before", "load.client",
    "load.server", "load.server-jit", "client-on-cpu", "server-on-cpu", "own-cores"})
public class RatedVisits extends Workload implements SharesItsCpus {
  private static final int LIMIT_MS = 20_000;

  /** Jetty's major version: 7, or 12, which needs Java 17. */
  @Param("12")
  public String jetty;

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

  /** Length of the page in bytes. */
  @Param("9")
  public int page;

  /** CPU time that a request takes the server before the page is sent, in microseconds. */
  @Param("0")
  public int workUs;

  /** Kind of the server's key: rsa-2048, dsa-1024 and others. With a DSA key the suite must be named. */
  @Param("rsa-2048")
  public String key;

  /** JSSE's name of the cipher suite, which every connection must use then; any for what both sides agree on. */
  @Param(Visitor.ANY_SUITE)
  public String suite;

  /** Whether client and server have a CPU each: own, or shared. */
  @Param("shared")
  public String cpus;

  private List<Visitor> pool;
  private LoadGenerator generator;
  private LoadGenerator.Result result;
  private LoadMeter meter;
  private long done;

  @Override
  protected String subject() {
    return "Jetty " + jetty + " by " + scheme + " at " + rate + " requests a second";
  }

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    boolean tls = WebMain.isTls(scheme);
    if (key.startsWith("dsa")) {
      Settings.applyOldSecurity();
    }
    SSLContext context = tls ? Certificates.context(Certificates.get(key), "client", "server", jca) : null;
    Cpus own = Cpus.of(cpus);
    Server server = closing(new Server(WebMain.class, WebMain.args(jetty, scheme, page, workUs, key), own));
    meter = new LoadMeter(server, own);
    pool = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      pool.add(closing(new Visitor(context, server.port(), LIMIT_MS, suite)));
    }
    generator = new LoadGenerator(pool, rate);
  }

  @Override
  protected void verify(Check check) throws IOException {
    for (Visitor visitor : pool) {
      check.that("the page is another", visitor.get().equals(Site.page(page)));
      done++;
    }
  }

  /** Requests, not loads: a load holds as many as the server can answer in its time. */
  @Override
  protected void warm(int calls, int mostMs) throws IOException {
    done += generator.burst(calls, TimeUnit.MILLISECONDS.toNanos(mostMs)).answered;
  }

  @Override
  protected void began() {
    meter.start();
  }

  /** A load from its beginning to its end. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public long load() throws IOException {
    result = generator.run(TimeUnit.MILLISECONDS.toNanos(loadMs));
    return result.answered;
  }

  @Override
  protected void ended(Check check) {
    check.that("no request was answered", result.answered > 0);
    long before = meter.before().cpuNs;
    long now = meter.stop(result.answered, done).cpuNs;
    done += result.answered;
    Observations.add("answered-of-due", (double) result.answered / result.due);
    Observations.add("server-cpu-a-request", (double) (now - before) / result.answered);
    Observations.counts("latency", result.latencies.take());
  }

}
