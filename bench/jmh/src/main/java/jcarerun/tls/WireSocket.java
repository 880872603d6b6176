package jcarerun.tls;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A plain socket below a TLS one: counts the bytes on the wire and watches what handshake it carries. */
public final class WireSocket extends Socket {
  /** How long a peer may keep silent. */
  public static final int SILENCE_MS = 10_000;

  private final HandshakeProof proof = new HandshakeProof();
  private long received;
  private long sent;

  /** Connects to a port on loopback. */
  public WireSocket(int port) throws IOException {
    setTcpNoDelay(true);
    setSoTimeout(SILENCE_MS);
    connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), SILENCE_MS);
  }

  /** Bytes that came from the server. */
  public long received() {
    return received;
  }

  /** Bytes that went to the server. */
  public long sent() {
    return sent;
  }

  /** What handshake it carried. */
  public HandshakeProof.Kind kind() {
    return proof.kind();
  }

  /** Whether the key exchange used a named group of TLS 1.3. */
  public boolean hasGroup(String name) {
    return proof.hasGroup(name);
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new FilterInputStream(super.getInputStream()) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = in.read(bytes, offset, length);
        if (count > 0) {
          received += count;
          proof.feed(bytes, offset, count);
        }
        return count;
      }
    };
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new FilterOutputStream(super.getOutputStream()) {
      @Override
      public void write(int one) throws IOException {
        out.write(one);
        sent++;
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        sent += length;
      }
    };
  }
}
