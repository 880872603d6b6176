package jcarerun.tls;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import jcarerun.Providers;

/**
 * The server's JVM: a thread per connection, one request and one answer of the agreed length on each.
 *
 * <p>It is ruled by its standard input, see {@link Server#answer}.
 */
public final class ServerMain {
  private final Settings settings;
  private long answered;
  private long authenticated;
  private final AtomicReference<String> failure = new AtomicReference<>("");
  private final Set<Long> threads = ConcurrentHashMap.newKeySet();
  /** No thread ends before the JVM: its CPU time would be lost. */
  private final ExecutorService pool = new ThreadPoolExecutor(
      0, Integer.MAX_VALUE, 1, TimeUnit.DAYS, new SynchronousQueue<>(), this::thread);

  private ServerMain(Settings settings) {
    this.settings = settings;
  }

  /**
   * Serves until the standard input ends.
   *
   * @param args of {@link Settings#args}
   */
  public static void main(String[] args) throws IOException, GeneralSecurityException {
    PrintStream out = System.out;
    // Whatever a library prints must not pass for an answer.
    System.setOut(System.err);
    Cpus.takeServers();
    Settings.applyOldSecurity();
    Settings settings = Settings.of(args);
    settings.applyGroup();
    ServerMain server = new ServerMain(settings);
    SSLServerSocket listener = server.listen();
    server.thread(() -> server.accept(listener)).start();
    Server.answer(out, listener.getLocalPort(), server::report);
  }

  private SSLServerSocket listen() throws IOException, GeneralSecurityException {
    SSLServerSocket listener = (SSLServerSocket) Certificates
        .context(Certificates.get(settings.key), "server", "client", Providers.get(settings.provider))
        .getServerSocketFactory().createServerSocket(0, 128, InetAddress.getLoopbackAddress());
    listener.setEnabledProtocols(new String[] {settings.protocol});
    listener.setEnabledCipherSuites(new String[] {settings.suite});
    listener.setNeedClientAuth(settings.clientAuth());
    return listener;
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "tls-server");
    thread.setDaemon(true);
    threads.add(thread.getId());
    return thread;
  }

  private void accept(SSLServerSocket listener) {
    try {
      while (true) {
        SSLSocket socket = (SSLSocket) listener.accept();
        pool.execute(() -> serve(socket));
      }
    } catch (IOException e) {
      failure.compareAndSet("", "it no longer accepts: " + e);
    }
  }

  private void serve(SSLSocket socket) {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(WireSocket.SILENCE_MS);
      socket.startHandshake();
      byte[] payload = new byte[settings.bytes];
      readFully(socket.getInputStream(), payload);
      count(hasPeer(socket));
      OutputStream out = socket.getOutputStream();
      out.write(payload);
      out.flush();
      if (!settings.cached()) {
        socket.getSession().invalidate();
      }
      awaitEnd(socket);
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet("", e.toString());
      close(socket);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is broken already, and the first failure was kept.
    }
  }

  /** The client closes first, and may be gone before it has heard that the server closes too: no failure. */
  private void awaitEnd(SSLSocket socket) {
    try {
      if (socket.getInputStream().read() >= 0) {
        failure.compareAndSet("", "the client sent more than " + settings.bytes + " bytes");
      }
      socket.close();
    } catch (SocketTimeoutException e) {
      failure.compareAndSet("", "the client did not close within " + WireSocket.SILENCE_MS + " ms");
    } catch (IOException e) {
      // A reset by a client that is gone.
    }
  }

  /** Comes before the answer, so that the client's own count is never ahead. */
  private synchronized void count(boolean peer) {
    answered++;
    authenticated += peer ? 1 : 0;
  }

  private static boolean hasPeer(SSLSocket socket) {
    try {
      return socket.getSession().getPeerCertificates().length > 0;
    } catch (SSLPeerUnverifiedException e) {
      return false;
    }
  }

  /** Reads until the array is full. */
  public static void readFully(InputStream in, byte[] bytes) throws IOException {
    for (int done = 0; done < bytes.length; ) {
      int count = in.read(bytes, done, bytes.length - done);
      if (count < 0) {
        throw new EOFException("the peer closed after " + done + " of " + bytes.length + " bytes");
      }
      done += count;
    }
  }

  /** As {@link Server.Reading} reads it. */
  private synchronized String report() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    long cpu = 0;
    for (long id : threads) {
      cpu += Math.max(0, bean.getThreadCpuTime(id));
    }
    return Server.Reading.line(cpu, answered, authenticated, failure.get());
  }
}
