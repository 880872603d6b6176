package jcarerun.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A load keeps its rate, and counts waiting from when a request was due. */
class LoadGeneratorTest {
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nmeasured\n".getBytes(StandardCharsets.US_ASCII);
  private static final int STALL_MS = 400;

  private ServerSocket listener;
  private Visitor visitor;
  private volatile int stallAt = -1;
  private volatile int closeAt = -1;

  @BeforeEach
  void start() throws IOException {
    listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread server = new Thread(this::serve, "stalling-server");
    server.setDaemon(true);
    server.start();
    visitor = new Visitor(null, listener.getLocalPort(), 20_000);
  }

  @AfterEach
  void stop() throws IOException {
    visitor.close();
    listener.close();
  }

  private void serve() {
    try (Socket socket = listener.accept()) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      for (int request = 0; ; request++) {
        for (int last = 0; last != 0x0D0A0D0A; ) {
          int next = in.read();
          if (next < 0) {
            return;
          }
          last = last << 8 | next;
        }
        if (request == closeAt) {
          return;
        }
        if (request == stallAt) {
          TimeUnit.MILLISECONDS.sleep(STALL_MS);
        }
        out.write(ANSWER);
      }
    } catch (IOException | InterruptedException e) {
      // The test is over.
    }
  }

  /** How many latencies were longer than that. */
  private static long longer(LoadGenerator.Result result, int ms) {
    long[] counts = result.latencies.take();
    return IntStream.range(Latencies.bin(ms * 1_000_000L) + 1, counts.length).mapToLong(bin -> counts[bin]).sum();
  }

  @Test
  void aStallIsChargedToEveryRequestThatWasDueMeanwhile() throws IOException {
    stallAt = 10;
    LoadGenerator.Result result =
        new LoadGenerator(Collections.singletonList(visitor), 100).run(TimeUnit.SECONDS.toNanos(1));
    assertEquals(100, result.due);
    // A generator that waits for each answer before it times the next request would count one.
    assertTrue(longer(result, STALL_MS / 4) >= 25);
  }

  @Test
  void whatCanNotBeSentInTimeIsDueAndNotAnswered() throws IOException {
    stallAt = 0;
    long start = System.nanoTime();
    LoadGenerator.Result result =
        new LoadGenerator(Collections.singletonList(visitor), 1000).run(TimeUnit.MILLISECONDS.toNanos(STALL_MS / 2));
    assertEquals(STALL_MS / 2, result.due);
    assertEquals(1, result.answered);
    assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(STALL_MS), "its answer is waited for");
  }

  @Test
  void requestsAreNotSentBeforeTheyAreDue() throws IOException {
    long start = System.nanoTime();
    LoadGenerator.Result result =
        new LoadGenerator(Collections.singletonList(visitor), 50).run(TimeUnit.MILLISECONDS.toNanos(300));
    assertEquals(15, result.due);
    assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(14 * 20), "when the last is due");
  }

  @Test
  void aBrokenConnectionEndsTheLoad() {
    closeAt = 3;
    assertThrows(IOException.class,
        () -> new LoadGenerator(Collections.singletonList(visitor), 1000).run(TimeUnit.SECONDS.toNanos(1)));
  }

  @Test
  void aLoadNeedsConnectionsAndARate() {
    assertThrows(IllegalArgumentException.class, () -> new LoadGenerator(Collections.emptyList(), 1));
    List<Visitor> one = Collections.singletonList(visitor);
    assertThrows(IllegalArgumentException.class, () -> new LoadGenerator(one, 0));
  }

  @Test
  void binsGrowBySixteenthsOfADoubling() {
    assertEquals(0, Latencies.bin(0));
    assertEquals(0, Latencies.bin(1000));
    assertEquals(1, Latencies.bin(1001));
    assertEquals(16, Latencies.bin(2000));
    assertEquals(17, Latencies.bin(2001));
    assertEquals(160, Latencies.bin(1_024_000));
    assertEquals(Latencies.BINS - 1, Latencies.bin(Long.MAX_VALUE));
  }

  @Test
  void noTimeIsLost() {
    Latencies one = new Latencies();
    Latencies two = new Latencies();
    for (long ns = 1; ns < 1L << 40; ns *= 3) {
      one.add(ns);
      two.add(ns + 1);
    }
    one.add(two);
    assertEquals(2 * 26, Arrays.stream(one.take()).sum());
    assertEquals(0, Arrays.stream(one.take()).sum());
  }
}
