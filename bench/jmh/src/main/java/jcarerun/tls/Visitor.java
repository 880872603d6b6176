package jcarerun.tls;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A kept-alive HTTP connection, by TLS or plainly, as a pool holds them. */
public final class Visitor implements Closeable {
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: *(\\d+)\r\n");
  private static final byte[] REQUEST =
      "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST = 1 << 16;
  private static final int END = '\r' << 24 | '\n' << 16 | '\r' << 8 | '\n';

  /** In place of a cipher suite: what client and server agree on by themselves. */
  public static final String ANY_SUITE = "any";

  private final Socket socket;
  private final InputStream in;

  /**
   * Connects to a port on loopback and makes the handshake.
   *
   * @param context null for plain HTTP
   * @param limitMs bounds every wait for the server
   */
  public Visitor(SSLContext context, int port, int limitMs) throws IOException {
    this(context, port, limitMs, ANY_SUITE);
  }

  /** The same with one cipher suite by JSSE's name, or {@link #ANY_SUITE}. */
  public Visitor(SSLContext context, int port, int limitMs, String suite) throws IOException {
    Socket plain = new Socket();
    boolean open = false;
    try {
      plain.setTcpNoDelay(true);
      plain.setSoTimeout(limitMs);
      plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), limitMs);
      socket = context == null ? plain
          : context.getSocketFactory().createSocket(plain, "localhost", port, true);
      if (context != null) {
        handshake((SSLSocket) socket, suite);
      }
      in = new BufferedInputStream(socket.getInputStream());
      open = true;
    } finally {
      if (!open) {
        plain.close();
      }
    }
  }

  private static void handshake(SSLSocket socket, String suite) throws IOException {
    boolean any = suite.equals(ANY_SUITE);
    if (!any) {
      // TLS 1.3 has suites of its own, which name neither certificate nor key exchange.
      socket.setEnabledProtocols(new String[] {suite.contains("_WITH_") ? "TLSv1.2" : "TLSv1.3"});
      socket.setEnabledCipherSuites(new String[] {suite});
    }
    socket.startHandshake();
    if (!any && !socket.getSession().getCipherSuite().equals(suite)) {
      throw new IOException("the server took " + socket.getSession().getCipherSuite() + ", not " + suite);
    }
  }

  /** Asks for the page and returns what it holds. */
  public String get() throws IOException {
    socket.getOutputStream().write(REQUEST);
    socket.getOutputStream().flush();
    ByteArrayOutputStream head = new ByteArrayOutputStream(512);
    // The last four bytes; a head ends with CR LF CR LF.
    for (int last = 0; last != END; ) {
      int next = in.read();
      if (next < 0 || head.size() > MOST) {
        throw new EOFException("the server sent no whole answer");
      }
      head.write(next);
      last = last << 8 | next;
    }
    String text = head.toString("ISO-8859-1");
    Matcher length = LENGTH.matcher(text);
    if (!text.startsWith("HTTP/1.1 200 ") || !length.find()) {
      throw new IOException("the server answered " + text.substring(0, text.indexOf('\r')));
    }
    byte[] body = new byte[Integer.parseInt(length.group(1))];
    ServerMain.readFully(in, body);
    return new String(body, StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
