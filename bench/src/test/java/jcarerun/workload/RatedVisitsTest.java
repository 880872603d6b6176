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
import org.junit.jupiter.params.provider.ValueSource;

/** Today's Jetty under load, plainly and by TLS. */
class RatedVisitsTest {
  @TempDir
  Path certificates;

  @BeforeEach
  void folder() {
    assumeTrue(Runtime.version().feature() >= 17, "Jetty 12 needs Java 17");
    System.setProperty("jcarerun.tls", certificates.toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty("jcarerun.tls");
  }

  private static RatedVisits visits(String scheme) {
    RatedVisits visits = new RatedVisits();
    visits.provider = "default";
    visits.scheme = scheme;
    visits.rate = 200;
    visits.connections = 4;
    visits.loadMs = 200;
    return visits;
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "https"})
  void itIsLoadedAndObserved(String scheme) throws Exception {
    RatedVisits visits = visits(scheme);
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
    for (String measure : new String[] {"throughput,", "answered-of-due,", "server-cpu-a-request,", "latency,"}) {
      assertTrue(observed.stream().anyMatch(row -> row.startsWith(measure)), measure + " in " + observed);
    }
  }

  @Test
  void anotherSchemeIsRefused() {
    RatedVisits visits = visits("ftp");
    assertThrows(IllegalArgumentException.class, visits::setUp);
  }
}
