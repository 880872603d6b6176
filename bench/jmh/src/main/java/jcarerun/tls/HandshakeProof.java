package jcarerun.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tells a full handshake from a resumed one by the bytes that the server sent, whatever the JSSE provider claims.
 *
 * <p>Up to TLS 1.2 a full handshake has the server's Certificate message between ServerHello and ChangeCipherSpec, and
 * a resumed one hasn't (RFC 5246, 7.3). In TLS 1.3 that message is encrypted, but the ServerHello of a resumed session
 * has the extension pre_shared_key, and that of a full handshake hasn't (RFC 8446, 4.2.11).
 */
public final class HandshakeProof {
  /** What a handshake was. */
  public enum Kind { UNKNOWN, FULL, RESUMED }

  /** Named groups by JSSE's names, with their numbers on the wire (IANA's TLS Supported Groups). */
  private static final Map<String, Integer> GROUPS = new TreeMap<>();

  static {
    GROUPS.put("secp256r1", 23);
    GROUPS.put("secp384r1", 24);
    GROUPS.put("secp521r1", 25);
    GROUPS.put("x25519", 29);
    GROUPS.put("x448", 30);
    GROUPS.put("ffdhe2048", 256);
    GROUPS.put("ffdhe3072", 257);
    GROUPS.put("SecP256r1MLKEM768", 4587);
    GROUPS.put("X25519MLKEM768", 4588);
    GROUPS.put("SecP384r1MLKEM1024", 4589);
  }

  private static final int CHANGE_CIPHER_SPEC = 20;
  private static final int HANDSHAKE = 22;
  private static final int SERVER_HELLO = 2;
  private static final int CERTIFICATE = 11;
  private static final int SUPPORTED_VERSIONS = 43;
  private static final int PRE_SHARED_KEY = 41;
  private static final int KEY_SHARE = 51;
  private static final int TLS_1_3 = 0x0304;
  /** First bytes of the random that marks a ServerHello as a HelloRetryRequest (RFC 8446, 4.1.3). */
  private static final byte[] RETRY = {(byte) 0xCF, 0x21, (byte) 0xAD, 0x74, (byte) 0xE5, (byte) 0x9A, 0x61, 0x11};
  /** More than any server sends before the kind is clear. */
  private static final int MOST = 1 << 16;

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream(2048);
  private Kind kind = Kind.UNKNOWN;
  private int group = -1;

  /** The number of a named group; -1 for one that is not known here. */
  static int groupId(String name) {
    return GROUPS.getOrDefault(name, -1);
  }

  static Set<String> groups() {
    return GROUPS.keySet();
  }

  /** Takes the next bytes that came from the server. */
  public void feed(byte[] bytes, int offset, int length) {
    if (kind == Kind.UNKNOWN && sent.size() < MOST) {
      sent.write(bytes, offset, length);
      kind = read(sent.toByteArray());
    }
  }

  /** The kind, by the bytes up to now. */
  public Kind kind() {
    return kind;
  }

  /** Whether the server took this group for the key exchange, as its ServerHello of TLS 1.3 says. */
  public boolean hasGroup(String name) {
    return group >= 0 && group == groupId(name);
  }

  private Kind read(byte[] bytes) {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    for (int at = 0; at + 5 <= bytes.length; ) {
      int type = bytes[at] & 0xFF;
      int end = at + 5 + number(bytes, at + 3, 2);
      if (end > bytes.length) {
        break;
      }
      if (type == HANDSHAKE) {
        messages.write(bytes, at + 5, end - at - 5);
        Kind found = kindOf(messages.toByteArray());
        if (found != Kind.UNKNOWN) {
          return found;
        }
      } else if (type == CHANGE_CIPHER_SPEC && !isRetry(messages.toByteArray())) {
        return messages.size() > 0 ? Kind.RESUMED : Kind.UNKNOWN;
      } else if (type != CHANGE_CIPHER_SPEC) {
        return Kind.UNKNOWN;
      }
      at = end;
    }
    return Kind.UNKNOWN;
  }

  /** The kind by the handshake messages in the clear alone. */
  private Kind kindOf(byte[] messages) {
    for (int at = 0; at + 4 <= messages.length; ) {
      int end = at + 4 + number(messages, at + 1, 3);
      if (messages[at] == CERTIFICATE) {
        return Kind.FULL;
      }
      if (end > messages.length) {
        break;
      }
      if (messages[at] == SERVER_HELLO && !retry(messages, at)) {
        boolean[] has = extensions(messages, at, end);
        if (has[0]) {
          return has[1] ? Kind.RESUMED : Kind.FULL;
        }
      }
      at = end;
    }
    return Kind.UNKNOWN;
  }

  /** Whether a ServerHello is of TLS 1.3, and whether it has a pre-shared key. */
  private boolean[] extensions(byte[] bytes, int start, int end) {
    boolean[] has = new boolean[2];
    int random = start + 6;
    int at = random + 32;
    // Session id, cipher suite, compression method, length of the extensions.
    at += 1 + (bytes[at] & 0xFF) + 2 + 1 + 2;
    while (at + 4 <= end) {
      int type = number(bytes, at, 2);
      int length = number(bytes, at + 2, 2);
      has[0] |= type == SUPPORTED_VERSIONS && length == 2 && number(bytes, at + 4, 2) == TLS_1_3;
      has[1] |= type == PRE_SHARED_KEY;
      group = type == KEY_SHARE ? number(bytes, at + 4, 2) : group;
      at += 4 + length;
    }
    return has;
  }

  private static boolean isRetry(byte[] messages) {
    return messages.length > 14 && messages[0] == SERVER_HELLO && retry(messages, 0);
  }

  private static boolean retry(byte[] bytes, int start) {
    return Arrays.equals(RETRY, Arrays.copyOfRange(bytes, start + 6, start + 6 + RETRY.length));
  }

  private static int number(byte[] bytes, int at, int length) {
    int value = 0;
    for (int i = at; i < at + length; i++) {
      value = value << 8 | bytes[i] & 0xFF;
    }
    return value;
  }
}
