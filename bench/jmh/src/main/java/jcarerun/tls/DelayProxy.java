package jcarerun.tls;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A slow link on loopback: delays all bytes by half a round trip, each way. A connection's first bytes wait for one
 * more round trip, which TCP's handshake takes.
 */
public final class DelayProxy implements Closeable {
  private static final byte[] END = new byte[0];

  private final ServerSocket listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
  private final int target;
  private final long oneWayNs;

  /** Listens, and passes on to a port on loopback. */
  public DelayProxy(int target, int roundTripMs) throws IOException {
    this.target = target;
    this.oneWayNs = TimeUnit.MILLISECONDS.toNanos(roundTripMs) / 2;
    start(this::accept);
  }

  /** The port it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "delay-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket();
        server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        pass(client, server, 2 * oneWayNs);
        pass(server, client, 0);
      }
    } catch (IOException e) {
      // Closed: whoever still waits for the link sees its own time limit.
    }
  }

  private void pass(Socket from, Socket to, long first) {
    BlockingQueue<Object[]> link = new LinkedBlockingQueue<>();
    long opened = System.nanoTime() + first;
    start(() -> read(from, link, opened));
    start(() -> write(to, link));
  }

  private void read(Socket from, BlockingQueue<Object[]> link, long opened) {
    byte[] buffer = new byte[1 << 14];
    try {
      InputStream in = from.getInputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        link.add(new Object[] {Math.max(System.nanoTime(), opened) + oneWayNs, Arrays.copyOf(buffer, count)});
      }
    } catch (IOException e) {
      // A reset ends the link as a close does.
    }
    link.add(new Object[] {System.nanoTime() + oneWayNs, END});
  }

  private static void write(Socket to, BlockingQueue<Object[]> link) {
    try (Socket closing = to) {
      OutputStream out = closing.getOutputStream();
      for (Object[] next = link.take(); next[1] != END; next = link.take()) {
        TimeUnit.NANOSECONDS.sleep((Long) next[0] - System.nanoTime());
        out.write((byte[]) next[1]);
      }
    } catch (IOException e) {
      // The other side is gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
