package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import jcarerun.probe.Observations;
import jcarerun.tls.Settings;
import jcarerun.tls.SharedCertificates;
import jcarerun.tls.SharedServer.Tally;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Handshakes between two real JVMs. */
class TlsHandshakeTest {
  private static final String GCM = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384";

  @AfterEach
  void beUsual() {
    System.clearProperty("jcarerun.cold");
  }

  @BeforeEach
  void forgetWhatOtherTestsObserved() throws Exception {
    SharedCertificates.use();
    Observations.take();
  }

  private static TlsHandshake workload(String protocol, String suite, String session, String key, int bytes) {
    return Workloads.of(TlsHandshake.class, "SunJSSE", "protocol", protocol, "suite", suite,
        "session", session, "key", key, "bytes", bytes, "cpus", "shared", "group", Settings.ANY_GROUP);
  }

  @ParameterizedTest
  @CsvSource({
      "TLSv1.2," + GCM + ",cached,rsa-2048,1,true", "TLSv1.2," + GCM + ",uncached,rsa-2048,16384,true",
      "TLSv1.2," + GCM + ",client-auth,rsa-2048,1024,true", "TLSv1.3,TLS_AES_256_GCM_SHA384,cached,ec-256,1,false",
      "TLSv1.3,TLS_AES_256_GCM_SHA384,uncached,ec-256,1,false",
      "TLSv1.3,TLS_AES_256_GCM_SHA384,client-auth,ec-256,16384,false",
      "TLSv1.2," + GCM + ",client-auth,rsa-1024,1,false",
      "TLSv1.2,TLS_DHE_DSS_WITH_AES_128_CBC_SHA,uncached,dsa-1024,1,false",
      "TLSv1,SSL_RSA_WITH_3DES_EDE_CBC_SHA,cached,rsa-2048,1,false",
      "TLSv1,SSL_RSA_WITH_3DES_EDE_CBC_SHA,client-auth,rsa-2048,1,false"
  })
  void everyHandshakeIsWhatItHasToBe(String protocol, String suite, String session, String key, int bytes,
      boolean cold) throws Exception {
    System.setProperty("jcarerun.cold", String.valueOf(cold));
    TlsHandshake workload = workload(protocol, suite, session, key, bytes);
    workload.setUp();
    workload.startClock();
    byte[] payload = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      payload[i] = (byte) (i + 1);
    }
    for (int i = 0; i < 5; i++) {
      assertArrayEquals(payload, workload.handshake());
    }
    workload.stopClock();
    workload.tearDown();
    Map<String, String> observed = Workloads.observed();
    boolean cached = session.equals("cached");
    assertEquals(cached ? "0" : "5", observed.get("proved-full"));
    assertEquals(cached ? "5" : "0", observed.get("proved-resumed"));
    assertEquals(session.equals("client-auth") ? "5" : "0", observed.get("proved-client-auth"));
    assertTrue(Double.parseDouble(observed.get("server-cpu")) > 0);
    assertTrue(Double.parseDouble(observed.get("sent-bytes")) > bytes);
    assertTrue(Double.parseDouble(observed.get("received-bytes")) > bytes);
    assertEquals("5", observed.get("load.done"));
    // One that a cached session comes from, and, unless the JVM is cold, one that the operation was verified by.
    assertEquals(String.valueOf((cached ? 1 : 0) + (cold ? 0 : 1)), observed.get("load.before"));
    assertTrue(Double.parseDouble(observed.get("load.span")) > 0);
    assertTrue(Double.parseDouble(observed.get("load.server")) >= 0);
    assertTrue(Double.parseDouble(observed.get("load.client")) >= 0);
    assertTrue(observed.containsKey("load.server-jit"));
    assertFalse(observed.containsKey("client-on-cpu"), "both share the CPUs");
    assertEquals(5, List.of(observed.get("latency").split(";")).stream().mapToInt(Integer::parseInt).sum());
  }

  /** A thread of JMH's, with a workload of its own: a client of cached sessions. */
  private static final class ClientThread implements AutoCloseable {
    final TlsHandshake workload = workload("TLSv1.2", GCM, "cached", "rsa-2048", 1);
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    Future<Void> all(Callable<?>... steps) {
      return thread.submit(() -> {
        for (Callable<?> step : steps) {
          step.call();
        }
        return null;
      });
    }

    Void start() {
      workload.startClock();
      return null;
    }

    Void setUp() throws IOException {
      workload.setUp();
      return null;
    }

    Void end() throws IOException {
      workload.stopClock();
      workload.tearDown();
      return null;
    }

    @Override
    public void close() {
      thread.shutdownNow();
    }
  }

  @Test
  void threadsOfAForkHaveOneSpanAndOneAccount() throws Exception {
    try (ClientThread one = new ClientThread(); ClientThread other = new ClientThread()) {
      one.all(one::setUp).get();
      other.all(other::setUp).get();
      one.all(one::start, one.workload::handshake).get();
      Thread.sleep(50);
      other.all(other::start, other.workload::handshake, other.workload::handshake).get();
      Future<Void> first = one.all(one::end);
      assertThrows(TimeoutException.class, () -> first.get(200, TimeUnit.MILLISECONDS), "it waits for the other");
      assertEquals(List.of(), Observations.take());
      other.all(other::end).get();
      first.get();
      Map<String, String> observed = Workloads.observed();
      assertEquals("3", observed.get("load.done"));
      assertEquals("4", observed.get("load.before"));
      assertTrue(Double.parseDouble(observed.get("load.span")) >= 50e6, "the span begins with the first thread");
    }
  }

  @Test
  void theCheckAfterAColdThreadsLastIterationIsNotInAnothersAccount() throws Exception {
    System.setProperty("jcarerun.cold", "true");
    try (ClientThread one = new ClientThread(); ClientThread other = new ClientThread()) {
      one.all(one::setUp).get();
      other.all(other::setUp, other::start, other.workload::handshake).get();
      Future<Void> first = one.all(one::start, one.workload::handshake, one::end);
      Thread.sleep(500);
      other.all(other::end).get();
      first.get();
      assertEquals("2", Workloads.observed().get("load.done"));
    }
  }

  @Test
  void aHandshakeThatIsNotWhatItHasToBeFailsTheForkWithACount() throws Exception {
    TlsHandshake workload = workload("TLSv1.2", GCM, "cached", "rsa-2048", 1);
    workload.setUp();
    workload.startClock();
    workload.handshake();
    workload.protocol = "TLSv1.3";
    workload.suite = "TLS_AES_256_GCM_SHA384";
    assertThrows(Exception.class, workload::handshake);
    workload.protocol = "TLSv1.2";
    workload.suite = GCM;
    workload.tearDown();
  }

  @Test
  void aGroupThatTheServerDidNotTakeIsCounted() throws Exception {
    TlsHandshake workload = workload("TLSv1.3", "TLS_AES_256_GCM_SHA384", "uncached", "ec-256", 1);
    workload.setUp();
    workload.startClock();
    workload.handshake();
    workload.stopClock();
    workload.group = "ffdhe3072";
    workload.startClock();
    workload.handshake();
    String message = assertThrows(IllegalStateException.class, workload::stopClock).getMessage();
    assertTrue(message.contains("must use the group ffdhe3072"), message);
    assertThrows(IllegalStateException.class, workload::tearDown);
  }

  @Test
  void aGroupIsProvenByTls13Alone() {
    assertThrows(IllegalArgumentException.class,
        () -> new Settings("TLSv1.2", GCM, "uncached", "rsa-2048", 1, "SunJSSE", "x25519"));
    assertThrows(IllegalArgumentException.class,
        () -> new Settings("TLSv1.3", GCM, "uncached", "rsa-2048", 1, "SunJSSE", "x1"));
  }

  @Test
  void aSessionThatIsNotResumedIsCounted() {
    Tally tally = new Tally();
    tally.handshake(null);
    tally.handshake("a handshake must be RESUMED, is FULL");
    String message = assertThrows(IllegalStateException.class, () -> tally.check("TLS is wrong: ")).getMessage();
    assertEquals("TLS is wrong: a handshake must be RESUMED, is FULL (1 of 2 handshakes)", message);
  }

  @ParameterizedTest
  @CsvSource({
      "SSLv4," + GCM + ",cached,rsa-2048,1,protocol", "TLSv1.2," + GCM + ",warm,rsa-2048,1,session",
      "TLSv1.2," + GCM + ",cached,rsa-2048,0,bytes", "TLSv1.2," + GCM + ",cached,dsa-1,1,key",
      "TLSv1.2,TLS_NONE,cached,rsa-2048,1,TLS_NONE"
  })
  void badInputIsRefused(String protocol, String suite, String session, String key, int bytes, String named)
      throws Exception {
    TlsHandshake workload = workload(protocol, suite, session, key, bytes);
    RuntimeException error = assertThrows(RuntimeException.class, workload::setUp);
    assertTrue(error.getMessage().contains(named), error.getMessage());
    workload.tearDown();
  }
}
