package jcarerun.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jcarerun.probe.LogFlags;
import jcarerun.tls.SharedServer.Tally;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's process and its certificates: it answers, it ends, and its end is noticed. */
class ServerTest {
  private static final Settings RSA = new Settings(
      "TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "uncached", "rsa-2048", 1, "SunJSSE", "any");

  @BeforeEach
  void certificates() throws Exception {
    SharedCertificates.use();
  }

  @Test
  void threadsThatAskForACertificateAtTheSameTimeGetTheSame(@TempDir Path folder) throws Exception {
    System.setProperty(Certificates.FOLDER, folder.toString());
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<Certificate> ask = () -> Certificates.get("ec-256").getCertificate("server");
      Set<Certificate> found = new HashSet<>();
      for (Future<Certificate> one : threads.invokeAll(Collections.nCopies(4, ask))) {
        found.add(one.get());
      }
      assertEquals(1, found.size());
      assertArrayEquals(new String[] {"ec-256.p12"}, folder.toFile().list());
    } finally {
      threads.shutdown();
    }
  }

  private static List<ProcessHandle> servers() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).collect(Collectors.toList());
  }

  @Test
  void itEndsWhenItIsClosed() throws Exception {
    Server server = new Server(RSA, Cpus.of("shared"));
    assertTrue(server.lives());
    assertEquals(0, server.read().answered);
    server.close();
    assertFalse(server.lives());
  }

  @Test
  void threadsEndTheirIterationTogetherAndNoneIsLost() throws Exception {
    SharedServer server = SharedServer.join(RSA, Cpus.of("shared"));
    assertSame(server, SharedServer.join(RSA, Cpus.of("shared")));
    assertSame(server, SharedServer.join(RSA, Cpus.of("shared")));
    server.verified(new Tally());
    server.began();
    server.began();
    Tally unanswered = new Tally();
    unanswered.handshake(null);
    CountDownLatch left = new CountDownLatch(2);
    for (Tally tally : List.of(new Tally(), unanswered)) {
      new Thread(() -> {
        server.ended(tally, "");
        left.countDown();
      }).start();
    }
    assertFalse(left.await(200, TimeUnit.MILLISECONDS), "both wait for the third");
    String message = assertThrows(IllegalStateException.class, () -> server.ended(new Tally(), "")).getMessage();
    assertEquals("of 1 handshakes the server saw 0, 0 with a client's certificate", message);
    assertTrue(left.await(5, TimeUnit.SECONDS));
    for (int thread = 0; thread < 3; thread++) {
      server.leave();
    }
    assertEquals(List.of(), servers());
  }

  @Test
  void whatItsJvmHasUsedIsToldWithWhatItCounted() throws Exception {
    try (Server server = new Server(RSA, Cpus.of("shared"))) {
      Server.Reading one = server.read();
      assertTrue(one.processNs > 0, "a JVM that has started has used CPU time");
      assertTrue(one.processNs >= one.cpuNs, "its threads for connections are some of its threads");
      assertTrue(one.jitMs > 0, "its compilers have worked");
      assertTrue(server.read().processNs >= one.processNs);
    }
  }

  @Test
  void aLineIsReadAsItIsWritten() {
    Server.Reading reading = Server.Reading.of(Server.Reading.line(5, 4, 3, ""));
    assertEquals(List.of(5L, 4L, 3L), List.of(reading.cpuNs, reading.answered, reading.authenticated));
    Server.Reading unknown = Server.Reading.of("5 4 3 - - ");
    assertNull(unknown.processNs);
    assertNull(unknown.jitMs);
    String failure = Server.Reading.line(5, 4, 3, "one\n  two");
    assertEquals("the TLS server failed: one two",
        assertThrows(IllegalStateException.class, () -> Server.Reading.of(failure)).getMessage());
  }

  @Test
  void itDoesNotWriteTheLogsOfTheFork() {
    List<String> forks = new ArrayList<>(LogFlags.compilations("jit/001.log"));
    forks.addAll(LogFlags.collections("gc/001.log"));
    forks.remove("-XX:+UnlockDiagnosticVMOptions");
    assertEquals(List.of(), forks.stream().filter(one -> !Server.isForksOwn(one)).collect(Collectors.toList()));
    assertFalse(Server.isForksOwn("-XX:+UseSerialGC"));
    assertFalse(Server.isForksOwn("-XX:ActiveProcessorCount=2"));
  }

  @Test
  void aServerThatIsGoneIsNamed() throws Exception {
    Server server = new Server(RSA, Cpus.of("shared"));
    for (ProcessHandle one : servers()) {
      one.destroyForcibly();
      one.onExit().get(10, TimeUnit.SECONDS);
    }
    String message = assertThrows(IllegalStateException.class, server::read).getMessage();
    assertTrue(message.startsWith("the TLS server ended by itself"), message);
    server.close();
    assertEquals(List.of(), servers());
  }

  @Test
  void whatFailsInTheServerIsTold() throws Exception {
    try (Server server = new Server(RSA, Cpus.of("shared"))) {
      // No TLS at all.
      try (WireSocket wire = new WireSocket(server.port())) {
        wire.getOutputStream().write(new byte[] {'G', 'E', 'T', ' ', '/', '\r', '\n', '\r', '\n'});
        wire.getOutputStream().flush();
        wire.getInputStream().read();
      }
      TimeUnit.MILLISECONDS.sleep(200);
      String message = assertThrows(IllegalStateException.class, server::read).getMessage();
      assertTrue(message.startsWith("the TLS server failed: "), message);
    }
  }
}
