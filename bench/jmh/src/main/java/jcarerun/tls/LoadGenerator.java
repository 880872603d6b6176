package jcarerun.tls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at a fixed rate over kept connections. Each request has a time at which it is due, whatever became of those
 * before it, and its latency is counted from then on: a server that makes the generator wait can't hide the waiting.
 */
public final class LoadGenerator {
  private final List<Visitor> connections;
  private final double perSecond;

  /** A generator; a thread for each connection. */
  public LoadGenerator(List<Visitor> connections, double perSecond) {
    if (connections.isEmpty() || !(perSecond > 0)) {
      throw new IllegalArgumentException("a load needs a connection and a rate above 0");
    }
    this.connections = new ArrayList<>(connections);
    this.perSecond = perSecond;
  }

  /** What a load came to. */
  public static final class Result {
    /** Requests that were due, and those of them that were answered before the load's end. */
    public final long due;
    public final long answered;
    /** Of the answered ones, from their due time on. */
    public final Latencies latencies;

    Result(long due, long answered, Latencies latencies) {
      this.due = due;
      this.answered = answered;
      this.latencies = latencies;
    }
  }

  /**
   * Loads the server for a time. A request that is due when all connections wait is sent as soon as one is free; what
   * is still unsent at the end is due and not answered.
   *
   * @throws IOException when a request failed
   */
  public Result run(long durationNs) throws IOException {
    return run(Math.max(1, Math.round(perSecond * durationNs / 1e9)), perSecond, durationNs);
  }

  /**
   * Sends requests as fast as they are answered.
   *
   * @param requests how many
   * @param mostNs for how long at most
   * @throws IOException when a request failed
   */
  public Result burst(long requests, long mostNs) throws IOException {
    return run(requests, Double.POSITIVE_INFINITY, mostNs);
  }

  private Result run(long due, double rate, long durationNs) throws IOException {
    AtomicLong next = new AtomicLong();
    AtomicReference<IOException> failure = new AtomicReference<>();
    List<Latencies> latencies = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    long[] answered = new long[connections.size()];
    long start = System.nanoTime();
    for (int i = 0; i < connections.size(); i++) {
      int own = i;
      Latencies times = new Latencies();
      latencies.add(times);
      Thread thread = new Thread(() -> {
        try {
          answered[own] = send(connections.get(own), start, durationNs, due, rate, next, times);
        } catch (IOException e) {
          failure.compareAndSet(null, e);
          next.set(due);
        }
      }, "load");
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    join(threads);
    if (failure.get() != null) {
      throw failure.get();
    }
    Latencies all = new Latencies();
    long sum = 0;
    for (int i = 0; i < answered.length; i++) {
      all.add(latencies.get(i));
      sum += answered[i];
    }
    return new Result(due, sum, all);
  }

  private static long send(
      Visitor connection, long start, long durationNs, long due, double rate, AtomicLong next, Latencies times)
      throws IOException {
    long answered = 0;
    for (long k = next.getAndIncrement(); k < due; k = next.getAndIncrement()) {
      long dueAt = start + (long) (k * 1e9 / rate);
      for (long wait = dueAt - System.nanoTime(); wait > 0; wait = dueAt - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      if (System.nanoTime() - start >= durationNs) {
        return answered;
      }
      connection.get();
      times.add(System.nanoTime() - dueAt);
      answered++;
    }
    return answered;
  }

  private static void join(List<Thread> threads) throws IOException {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted while a load ran", e);
    }
  }
}
