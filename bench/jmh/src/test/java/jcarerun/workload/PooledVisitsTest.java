package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import jcarerun.probe.Observations;
import jcarerun.tls.SecurityFile;
import jcarerun.tls.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pools of connections to a real Jetty 7. */
class PooledVisitsTest {
  @TempDir
  static Path folder;

  @BeforeAll
  static void keepCertificatesApart() throws Exception {
    // JSSE reads its security properties once, and other tests of this JVM want the old protocols.
    SecurityFile.apply();
    System.setProperty("jcarerun.tls", folder.toString());
  }

  @ParameterizedTest
  @CsvSource({"blocking,4,3", "selector,4,10", "blocking,20,10"})
  void aBlockingServerAnswersAsManyAsItHasThreads(String connector, int threads, int answered) throws Exception {
    PooledVisits workload = Workloads.of(PooledVisits.class, "SunJSSE", "connector", connector, "threads", threads,
        "connections", 10, "limitMs", 3000);
    workload.setUp();
    workload.startClock();
    assertEquals(answered, workload.visit());
    workload.stopClock();
    // The pool was closed, so the next one finds the server as it was.
    assertEquals(answered, workload.visit());
    workload.tearDown();
    // A blocking connector's acceptor holds a thread; a selecting one's selector another.
    assertEquals(List.of("answered," + answered, "free-threads," + (threads - (connector.equals("blocking") ? 1 : 2)),
        "answered-share," + (answered == 10 ? "1" : "0." + answered)), Observations.take());
  }

  @ParameterizedTest
  @CsvSource({"40,yes,https,0", "40,no,https,0", "0,no,https,0", "40,yes,http,30", "40,no,http,30", "0,no,http,30"})
  void aVisitTakesAtLeastItsRoundTripsAndItsWork(int roundTripMs, String pooled, String scheme, int workMs)
      throws Exception {
    RemoteRequest workload = Workloads.of(RemoteRequest.class, "SunJSSE", "roundTripMs", roundTripMs, "pooled", pooled,
        "scheme", scheme, "workMs", workMs);
    workload.setUp();
    long start = System.nanoTime();
    assertEquals(Site.page(9), workload.request());
    // A new connection takes TCP's round trip, TLS's where there is TLS, and the request's.
    int trips = pooled.equals("yes") ? 1 : scheme.equals("https") ? 3 : 2;
    assertTrue(System.nanoTime() - start >= (trips * roundTripMs + workMs) * 1_000_000L);
    workload.tearDown();
  }

  @Test
  void badInputIsRefused() throws Exception {
    PooledVisits visits = Workloads.of(PooledVisits.class, "SunJSSE", "connector", "none");
    assertTrue(assertThrows(IllegalArgumentException.class, visits::setUp).getMessage().contains("connector"));
    RemoteRequest visit = Workloads.of(RemoteRequest.class, "SunJSSE", "pooled", "maybe");
    assertTrue(assertThrows(IllegalArgumentException.class, visit::setUp).getMessage().contains("pooled"));
  }
}
