package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import jcarerun.probe.Observations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Today's Jetty under load, plainly and by TLS. */
class RatedVisitsTest {
  @TempDir
  Path certificates;

  @BeforeEach
  void folder() {
    System.setProperty("jcarerun.tls", certificates.toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty("jcarerun.tls");
  }

  private static RatedVisits visits(String jetty, String scheme) {
    assumeTrue(jetty.equals("7") || Runtime.version().feature() >= 17, "Jetty 12 needs Java 17");
    return Workloads.of(RatedVisits.class, "default", "jetty", jetty, "page", 4096, "workUs", 200,
        "cpus", "shared", "key", "rsa-2048", "suite", "any", "scheme", scheme, "rate", 200, "connections", 4,
        "loadMs", 200);
  }

  @ParameterizedTest
  @CsvSource({"7,http", "7,https", "12,http", "12,https"})
  void itIsLoadedAndObserved(String jetty, String scheme) throws Exception {
    RatedVisits visits = visits(jetty, scheme);
    visits.setUp();
    try {
      Observations.take();
      visits.startClock();
      assertTrue(visits.load() > 0);
      visits.stopClock();
    } finally {
      visits.tearDown();
    }
    List<String> observed = Observations.take();
    for (String measure : new String[] {
        "load.done,", "load.server,", "answered-of-due,", "server-cpu-a-request,", "latency,"}) {
      assertTrue(observed.stream().anyMatch(row -> row.startsWith(measure)), measure + " in " + observed);
    }
  }

  @ParameterizedTest
  @CsvSource({"7,dsa-1024,TLS_DHE_DSS_WITH_AES_128_CBC_SHA", "12,dsa-2048,TLS_DHE_DSS_WITH_AES_128_CBC_SHA256",
      "12,rsa-2048,TLS_AES_128_GCM_SHA256"})
  void everyConnectionUsesTheSuiteThatIsNamed(String jetty, String key, String suite) throws Exception {
    RatedVisits visits = visits(jetty, "https");
    visits.key = key;
    visits.suite = suite;
    visits.setUp();
    try {
      assertTrue(visits.load() > 0);
    } finally {
      visits.tearDown();
    }
  }

  @Test
  void itIsWarmedUpByRequests() throws Exception {
    RatedVisits visits = visits("7", "http");
    visits.setUp();
    try {
      visits.warm(50, 20_000);
      Observations.take();
      visits.startClock();
      visits.load();
      visits.stopClock();
    } finally {
      visits.tearDown();
    }
    // The 50, and one of each connection that its page was checked by.
    assertTrue(Observations.take().contains("load.before,54"));
  }

  @ParameterizedTest
  @CsvSource({"7,ftp", "9,http"})
  void whatThereIsNotIsRefused(String jetty, String scheme) {
    RatedVisits visits = visits("7", scheme);
    visits.jetty = jetty;
    assertThrows(IllegalArgumentException.class, visits::setUp);
  }
}
