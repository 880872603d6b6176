package jcarerun.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import jcarerun.probe.JvmCounters;
import jcarerun.probe.Observations;
import org.junit.jupiter.api.Test;

/** A CPU for each side of a load. */
class CpusTest {
  private static List<Integer> allowed(String process) throws Exception {
    try (var lines = Files.lines(Paths.get("/proc", process, "status"))) {
      return JvmCounters.cpus(lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
          .map(line -> line.split(":")[1].trim()).collect(Collectors.joining()));
    }
  }

  @Test
  void anotherWayIsRefused() {
    assertEquals("cpus must be own or shared, is mine",
        assertThrows(IllegalArgumentException.class, () -> Cpus.of("mine")).getMessage());
  }

  @Test
  void whereTheyAreSharedNobodyMovesAndNothingIsObserved() throws Exception {
    Cpus shared = Cpus.of("shared");
    assertEquals(Collections.emptyList(), shared.serverOptions());
    List<Integer> before = Cpus.usable();
    shared.takeClients();
    assertEquals(before, allowed("self"));
    Observations.take();
    shared.observe();
    assertEquals(List.of(), Observations.take());
  }

  @Test
  void eachSideHasItsOwnAndSoHaveItsThreads() throws Exception {
    assumeTrue(Cpus.usable().size() >= 2, "two CPUs are needed");
    List<Integer> every = Cpus.usable();
    SharedCertificates.use();
    Settings settings = new Settings("TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "uncached", "rsa-2048", 1,
        "SunJSSE", "any");
    try (Server server = new Server(settings, Cpus.of("own"))) {
      server.read();
      String process = ProcessHandle.current().children().filter(ProcessHandle::isAlive).findFirst()
          .map(one -> String.valueOf(one.pid())).orElseThrow();
      assertEquals(every.subList(0, 1), allowed("self"));
      assertEquals(every.subList(1, 2), allowed(process));
      try (var threads = Files.list(Paths.get("/proc", process, "task"))) {
        for (Path thread : (Iterable<Path>) threads::iterator) {
          assertEquals(every.subList(1, 2), allowed(process + "/task/" + thread.getFileName()));
        }
      }
      Observations.take();
      Cpus.of("own").observe();
      String seen = String.join(" ", Observations.take());
      assertTrue(seen.startsWith("client-on-cpu," + every.get(0) + " server-on-cpu," + every.get(1)), seen);
    } finally {
      Cpus.move(every);
    }
    assertEquals(every, allowed("self"));
  }
}
