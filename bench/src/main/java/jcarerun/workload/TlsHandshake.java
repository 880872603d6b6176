package jcarerun.workload;

import java.io.IOException;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import jcarerun.round.Observations;
import jcarerun.tls.Certificates;
import jcarerun.tls.HandshakeProof;
import jcarerun.tls.Latencies;
import jcarerun.tls.SecurityFile;
import jcarerun.tls.Server;
import jcarerun.tls.ServerMain;
import jcarerun.tls.Settings;
import jcarerun.tls.TlsContexts;
import jcarerun.tls.WireSocket;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * One TLS connection to a server in a JVM of its own: connect, handshake, a request and an answer, close.
 *
 * <p>Every handshake is proved full or resumed by what went over the wire, and client-authenticated or not by the
 * server's word; protocol and suite must be those that were asked for. What doesn't match is counted, and fails the
 * fork when the iteration ends. Threads of one fork share the server; each has a session cache of its own.
 */
public class TlsHandshake extends Workload {
  private static Server server;
  private static int users;
  private static long handshakes;
  private static Server.Reading last;

  /** JSSE's name of the protocol. */
  @Param("TLSv1.2")
  public String protocol;

  /** JSSE's name of the cipher suite. */
  @Param("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384")
  public String suite;

  /** How a session is begun: cached, uncached, client-auth (uncached, and the client shows a certificate). */
  @Param("uncached")
  public String session;

  /** Kind of both sides' keys: rsa-2048, rsa-3072, ec-256. */
  @Param("rsa-2048")
  public String key;

  /** Length of the request and of the answer. */
  @Param("1")
  public int bytes;

  private final Latencies latencies = new Latencies();
  private Settings settings;
  private SSLContext context;
  private Server used;
  private byte[] payload;
  private HandshakeProof.Kind expected;
  private int done;
  private int wrong;
  private String difference;
  private long sent;
  private long received;

  @Override
  protected String subject() {
    return "TLS (" + protocol + ", " + suite + ", " + key + ", " + session + ")";
  }

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    settings = new Settings(protocol, suite, session, key, bytes, provider);
    SecurityFile.apply();
    context = TlsContexts.make(Certificates.get(key, Paths.get("tls")), "client", "server", jca);
    payload = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      payload[i] = (byte) i;
    }
    used = share(settings);
  }

  /** The first handshake is full in any case; the second is what the session's way makes it. */
  @Override
  protected void verify(Check check) throws IOException {
    expected = HandshakeProof.Kind.FULL;
    check.same("answer", payload, exchange());
    expected = settings.cached() ? HandshakeProof.Kind.RESUMED : HandshakeProof.Kind.FULL;
    check.same("answer", payload, exchange());
    check.that(difference + " (" + wrong + " of " + done + " handshakes)", wrong == 0);
    latencies.take();
    synchronized (TlsHandshake.class) {
      handshakes += done;
      last = used.read();
    }
    forget();
  }

  /** A connection from its beginning to its end. */
  @Benchmark
  public byte[] handshake() throws IOException {
    return exchange();
  }

  private byte[] exchange() throws IOException {
    long start = System.nanoTime();
    byte[] answer = new byte[bytes];
    try (WireSocket wire = new WireSocket(used.port());
         SSLSocket socket = (SSLSocket) context.getSocketFactory()
             .createSocket(wire, "localhost", used.port(), true)) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.setEnabledCipherSuites(new String[] {suite});
      socket.startHandshake();
      socket.getOutputStream().write(payload);
      socket.getOutputStream().flush();
      ServerMain.readFully(socket.getInputStream(), answer);
      SSLSession agreed = socket.getSession();
      note(wire, agreed);
      if (!settings.cached()) {
        agreed.invalidate();
      }
      socket.close();
      sent += wire.sent();
      received += wire.received();
    }
    latencies.add(System.nanoTime() - start);
    return answer;
  }

  private void note(WireSocket wire, SSLSession agreed) {
    done++;
    if (wire.kind() != expected || !agreed.getProtocol().equals(protocol) || !agreed.getCipherSuite().equals(suite)) {
      wrong++;
      difference = "handshake must be " + expected + " with " + protocol + " and " + suite + ", is " + wire.kind()
          + " with " + agreed.getProtocol() + " and " + agreed.getCipherSuite();
    }
  }

  /** Adds what the iteration came to, and holds every handshake of it against what it had to be. */
  @Override
  protected void ended(Check check) throws IOException {
    check.that(difference + " (" + wrong + " of " + done + " handshakes)", wrong == 0);
    synchronized (TlsHandshake.class) {
      handshakes += done;
      Server.Reading now = used.read();
      long authenticated = now.authenticated - last.authenticated;
      long must = settings.clientAuth() ? now.answered - last.answered : 0;
      check.same("number of clients that showed a certificate", must, authenticated);
      Observations.add("server-cpu", now.cpuNs - last.cpuNs);
      Observations.add("client-auth", authenticated);
      last = now;
    }
    Observations.add(settings.cached() ? "resumed" : "full", done);
    Observations.add("sent", sent);
    Observations.add("received", received);
    Observations.add("latency-max-ns", latencies.longest());
    Observations.counts("latency", latencies.take());
    forget();
  }

  private void forget() {
    done = 0;
    sent = 0;
    received = 0;
  }

  @Override
  protected void discard() throws IOException {
    if (used != null) {
      used = null;
      release();
    }
  }

  private static synchronized Server share(Settings settings) throws IOException {
    if (server == null) {
      server = new Server(settings);
    }
    users++;
    return server;
  }

  private static synchronized void release() throws IOException {
    users--;
    if (users > 0) {
      return;
    }
    long mine = handshakes;
    try (Server ending = server) {
      server = null;
      handshakes = 0;
      long answered = ending.read().answered;
      if (answered != mine) {
        throw new IllegalStateException("the TLS server answered " + answered + " connections, the client had " + mine);
      }
    }
  }
}
