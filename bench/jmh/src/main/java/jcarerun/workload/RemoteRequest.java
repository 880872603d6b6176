package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import jcarerun.probe.ProbedWorkload.SharesItsCpus;
import jcarerun.tls.Certificates;
import jcarerun.tls.DelayProxy;
import jcarerun.tls.Jetty;
import jcarerun.tls.Site;
import jcarerun.tls.Visitor;
import jcarerun.tls.WebMain;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * A request over a link with a round-trip time, on a pooled connection or on a new one each time.
 *
 * <p>By TLS, a new connection may resume the session of the one before, as JSSE does by itself.
 */
public class RemoteRequest extends Workload implements SharesItsCpus {
  private static final int LIMIT_MS = 20_000;
  private static final int PAGE_BYTES = 9;

  /** The link's round-trip time. */
  @Param("220")
  public int roundTripMs;

  /** Whether the connection is kept: yes or no. */
  @Param("no")
  public String pooled;

  /** http or https. */
  @Param("https")
  public String scheme;

  /** How long the server waits before it answers, as for a database. */
  @Param("0")
  public int workMs;

  private SSLContext client;
  private DelayProxy link;
  private Visitor kept;

  @Override
  protected String subject() {
    return "a visit over " + roundTripMs + " ms";
  }

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    if (!pooled.equals("yes") && !pooled.equals("no")) {
      throw new IllegalArgumentException("pooled must be yes or no, is " + pooled);
    }
    KeyStore store = Certificates.get("rsa-2048");
    boolean tls = WebMain.isTls(scheme);
    client = tls ? Certificates.context(store, "client", "server", jca) : null;
    SSLContext own = tls ? Certificates.context(store, "server", "client", jca) : null;
    Jetty server = closing(Jetty.seven("selector", 8, own, new Site(PAGE_BYTES, Site.waiting(workMs))));
    link = closing(new DelayProxy(server.port(), roundTripMs));
    kept = closing(new Visitor(client, link.port(), LIMIT_MS));
  }

  @Override
  protected void verify(Check check) throws IOException {
    long start = System.nanoTime();
    check.that("the page is another", request().equals(Site.page(PAGE_BYTES)));
    boolean late = System.nanoTime() - start >= (roundTripMs + workMs) * 1_000_000L;
    check.that("the answer came sooner than link and work allow", late);
  }

  /** A request and its answer. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public String request() throws IOException {
    if (pooled.equals("yes")) {
      return kept.get();
    }
    try (Visitor once = new Visitor(client, link.port(), LIMIT_MS)) {
      return once.get();
    }
  }

}
