package jcarerun.workload;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import jcarerun.probe.Observations.Measures;
import jcarerun.probe.ProbedWorkload.SharesItsCpus;
import jcarerun.tls.Certificates;
import jcarerun.tls.Cpus;
import jcarerun.tls.HandshakeProof;
import jcarerun.tls.ServerMain;
import jcarerun.tls.Settings;
import jcarerun.tls.SharedServer;
import jcarerun.tls.SharedServer.Tally;
import jcarerun.tls.WireSocket;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * One TLS connection to a server in a JVM of its own: connect, handshake, a request and an answer, close.
 *
 * <p>Every handshake is proven full or resumed by what went over the wire, and client-authenticated or not by the
 * server's word; protocol and suite must be those that were asked for. What doesn't match is counted, and fails the
 * fork when the iteration ends. Threads of one fork share the server; each has a session cache of its own.
 */
@Measures({"server-cpu", "sent-bytes", "received-bytes", "proved-full", "proved-resumed", "proved-client-auth",
    "latency", "load.span", "load.done", "load.before", "load.client", "load.server", "load.server-jit",
    "client-on-cpu", "server-on-cpu", "own-cores"})
public class TlsHandshake extends Workload implements SharesItsCpus {
  /** JSSE's name of the protocol. */
  @Param("TLSv1.2")
  public String protocol;

  /** JSSE's name of the cipher suite. */
  @Param("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384")
  public String suite;

  /** How a session is begun: cached, uncached, client-auth (uncached, and the client shows a certificate). */
  @Param("uncached")
  public String session;

  /** Kind of both sides' keys: rsa-1024, rsa-2048, rsa-3072, ec-256, dsa-1024 and others. */
  @Param("rsa-2048")
  public String key;

  /** Length of the request and of the answer in bytes. */
  @Param("1")
  public int bytes;

  /** Whether client and server have a CPU each: own, or shared. */
  @Param("shared")
  public String cpus;

  /** JSSE's name of the group of the key exchange, which TLS 1.3 alone proves; any for those of the provider. */
  @Param(Settings.ANY_GROUP)
  public String group;

  private final Tally tally = new Tally();
  private Settings settings;
  private SSLContext context;
  private SharedServer server;
  private byte[] payload;
  private HandshakeProof.Kind expected;

  @Override
  protected String subject() {
    return "TLS (" + protocol + ", " + suite + ", " + key + ", " + session + ")";
  }

  private String who() {
    return subject() + " of provider " + provider + " is wrong: ";
  }

  @Override
  protected void prepare() throws GeneralSecurityException, IOException {
    settings = new Settings(protocol, suite, session, key, bytes, provider, group);
    Settings.applyOldSecurity();
    settings.applyGroup();
    context = Certificates.context(Certificates.get(key), "client", "server", jca);
    Certificates.require(context, settings);
    payload = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      payload[i] = (byte) (i + 1);
    }
    server = SharedServer.join(settings, Cpus.of(cpus));
    closing(server::leave);
    prime();
  }

  /** A session can be resumed once there was a full handshake; no other way to log on needs one before. */
  private void prime() throws IOException {
    expected = HandshakeProof.Kind.FULL;
    if (settings.cached()) {
      handshake();
      account();
      expected = HandshakeProof.Kind.RESUMED;
    }
  }

  private void account() {
    tally.check(who());
    server.verified(tally);
  }

  @Override
  protected void verify(Check check) throws IOException {
    check.same("answer", payload, handshake());
    account();
  }

  @Override
  protected void warmed() {
    account();
  }

  @Override
  protected void began() {
    server.began();
  }

  /** A connection from its beginning to its end. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] handshake() throws IOException {
    long start = System.nanoTime();
    byte[] answer = new byte[bytes];
    try (WireSocket wire = new WireSocket(server.port());
         SSLSocket socket = (SSLSocket) context.getSocketFactory()
             .createSocket(wire, "localhost", server.port(), true)) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.setEnabledCipherSuites(new String[] {suite});
      socket.startHandshake();
      socket.getOutputStream().write(payload);
      socket.getOutputStream().flush();
      ServerMain.readFully(socket.getInputStream(), answer);
      SSLSession agreed = socket.getSession();
      tally.handshake(problem(wire, agreed));
      if (!settings.cached()) {
        agreed.invalidate();
      }
      socket.close();
      tally.connection(wire, System.nanoTime() - start);
    }
    return answer;
  }

  private String problem(WireSocket wire, SSLSession agreed) {
    if (!group.equals(Settings.ANY_GROUP) && !wire.hasGroup(group)) {
      return "a handshake must use the group " + group + " and does not";
    }
    HandshakeProof.Kind kind = wire.kind();
    if (kind == expected && agreed.getProtocol().equals(protocol) && agreed.getCipherSuite().equals(suite)) {
      return null;
    }
    return "a handshake must be " + expected + " with " + protocol + " and " + suite + ", is " + kind + " with "
        + agreed.getProtocol() + " and " + agreed.getCipherSuite();
  }

  /** Compares every handshake of the iteration with what it had to be, and adds the observations. */
  @Override
  protected void ended(Check check) {
    tally.check(who());
    server.ended(tally, who());
  }

}
