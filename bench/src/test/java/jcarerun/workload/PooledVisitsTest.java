package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import jcarerun.probe.Observations;
import jcarerun.tls.Jetty7;
import jcarerun.tls.SecurityFile;
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
    PooledVisits workload = new PooledVisits();
    workload.provider = "SunJSSE";
    workload.connector = connector;
    workload.threads = threads;
    workload.connections = 10;
    workload.limitMs = 3000;
    workload.setUp();
    workload.startClock();
    assertEquals(answered, workload.visit());
    workload.stopClock();
    // The pool was closed, so the next one finds the server as it was.
    assertEquals(answered, workload.visit());
    workload.tearDown();
    assertEquals(List.of("answered," + answered, "answered-share," + (answered == 10 ? "1" : "0." + answered)),
        Observations.take());
  }

  @ParameterizedTest
  @CsvSource({"40,yes", "40,no", "0,no"})
  void aVisitTakesAtLeastItsRoundTrips(int roundTripMs, String pooled) throws Exception {
    RemoteRequest workload = new RemoteRequest();
    workload.provider = "SunJSSE";
    workload.roundTripMs = roundTripMs;
    workload.pooled = pooled;
    workload.setUp();
    long start = System.nanoTime();
    assertEquals(Jetty7.PAGE, workload.request());
    // A new connection takes TCP's round trip, TLS's and the request's.
    int least = pooled.equals("yes") ? roundTripMs : 3 * roundTripMs;
    assertTrue(System.nanoTime() - start >= least * 1_000_000L);
    workload.tearDown();
  }

  @Test
  void badInputIsRefused() throws Exception {
    PooledVisits visits = new PooledVisits();
    visits.provider = "SunJSSE";
    visits.connector = "none";
    assertTrue(assertThrows(IllegalArgumentException.class, visits::setUp).getMessage().contains("connector"));
    RemoteRequest visit = new RemoteRequest();
    visit.provider = "SunJSSE";
    visit.pooled = "maybe";
    assertTrue(assertThrows(IllegalArgumentException.class, visit::setUp).getMessage().contains("pooled"));
  }
}
