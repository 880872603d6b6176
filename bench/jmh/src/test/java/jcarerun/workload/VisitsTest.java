package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import jcarerun.probe.Observations;
import jcarerun.tls.SharedCertificates;
import jcarerun.tls.Site;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Visits to a real Jetty 7 or 12: pools of connections, a slow link, and a load. */
class VisitsTest {
  @BeforeEach
  void forgetWhatOtherTestsObserved() throws Exception {
    SharedCertificates.use();
    Observations.take();
  }

  @ParameterizedTest
  @CsvSource({"blocking,4,3,1000", "selector,4,10,3000", "blocking,20,10,3000"})
  void aBlockingServerAnswersAsManyAsItHasThreads(String connector, int threads, int answered, int limitMs)
      throws Exception {
    PooledVisits workload = Workloads.of(PooledVisits.class, "SunJSSE", "connector", connector, "threads", threads,
        "connections", 10, "limitMs", limitMs);
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

  private static RatedVisits visits(String jetty, String scheme, String key, String suite) {
    assumeTrue(!jetty.equals("12") || Runtime.version().feature() >= 17, "Jetty 12 needs Java 17");
    return Workloads.of(RatedVisits.class, "default", "jetty", jetty, "page", 4096, "workUs", 200,
        "cpus", "shared", "key", key, "suite", suite, "scheme", scheme, "rate", 200, "connections", 4, "loadMs", 200);
  }

  /** Every connection uses the suite, if one is named. */
  @ParameterizedTest
  @CsvSource({"7,http,rsa-2048,any", "12,http,rsa-2048,any", "7,https,rsa-2048,any", "12,https,rsa-2048,any",
      "7,https,dsa-1024,TLS_DHE_DSS_WITH_AES_128_CBC_SHA", "12,https,dsa-2048,TLS_DHE_DSS_WITH_AES_128_CBC_SHA256",
      "12,https,rsa-2048,TLS_AES_128_GCM_SHA256"})
  void aServerIsWarmedUpByRequestsLoadedAndObserved(String jetty, String scheme, String key, String suite)
      throws Exception {
    RatedVisits visits = visits(jetty, scheme, key, suite);
    visits.setUp();
    try {
      visits.warm(50, 20_000);
      visits.startClock();
      assertTrue(visits.load() > 0);
      visits.stopClock();
    } finally {
      visits.tearDown();
    }
    Map<String, String> observed = Workloads.observed();
    assertEquals("54", observed.get("load.before"), "the 50, and one of each connection that its page was checked by");
    assertTrue(observed.keySet().containsAll(List.of(
        "load.done", "load.server", "answered-of-due", "server-cpu-a-request", "latency")), observed.toString());
  }

  @ParameterizedTest
  @CsvSource({"7,ftp", "9,http"})
  void aLoadOfWhatThereIsNotIsRefused(String jetty, String scheme) {
    RatedVisits visits = visits(jetty, scheme, "rsa-2048", "any");
    assertThrows(IllegalArgumentException.class, visits::setUp);
  }
}
