package jcarerun.workload;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A thread of JMH's, with a workload of its own: a client of cached sessions. */
final class ClientThread implements AutoCloseable {
  final TlsHandshake workload = TlsHandshakeTest.workload("TLSv1.2", TlsHandshakeTest.GCM, "cached", "rsa-2048", 1);
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
