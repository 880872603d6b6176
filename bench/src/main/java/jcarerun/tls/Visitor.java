package jcarerun.tls;

import java.io.ByteArrayOutputStream;
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

/** A kept-alive HTTP connection over TLS, as a pool holds them. */
public final class Visitor implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: *(\\d+)\r\n");
  private static final byte[] REQUEST =
      "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST = 1 << 16;

  private final SSLSocket socket;

  /** Connects to a port on loopback and makes the handshake; {@code limitMs} bounds every wait for the server. */
  public Visitor(SSLContext context, int port, int limitMs) throws IOException {
    Socket plain = new Socket();
    boolean open = false;
    try {
      plain.setTcpNoDelay(true);
      plain.setSoTimeout(limitMs);
      plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), limitMs);
      socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", port, true);
      socket.startHandshake();
      open = true;
    } finally {
      if (!open) {
        plain.close();
      }
    }
  }

  /** Asks for the page and returns what it holds. */
  public String get() throws IOException {
    socket.getOutputStream().write(REQUEST);
    socket.getOutputStream().flush();
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString("ISO-8859-1").endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0 || head.size() > MOST) {
        throw new EOFException("the server sent no whole answer");
      }
      head.write(next);
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
