package jcarerun.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

/** Full and resumed handshakes by the bytes that RFC 5246 and RFC 8446 want of a server. */
class HandshakeProofTest {
  private static final int[] SUPPORTED_VERSION = {0, 43, 0, 2, 3, 4};
  private static final int[] PRE_SHARED_KEY = {0, 41, 0, 2, 0, 0};

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.write(part, 0, part.length);
    }
    return out.toByteArray();
  }

  private static byte[] record(int type, byte[] content) {
    return joined(bytes(type, 3, 3, content.length >> 8, content.length), content);
  }

  private static byte[] message(int type, byte[] content) {
    return joined(bytes(type, 0, content.length >> 8, content.length), content);
  }

  private static byte[] hello(int firstOfRandom, int[]... extensions) {
    byte[] random = new byte[32];
    byte[] retry = bytes(0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11);
    if (firstOfRandom == 0xCF) {
      System.arraycopy(retry, 0, random, 0, retry.length);
    }
    byte[] all = new byte[0];
    for (int[] extension : extensions) {
      all = joined(all, bytes(extension));
    }
    byte[] rest = joined(bytes(2, 7, 7, 0x13, 1, 0, 0, all.length), all);
    return message(2, joined(bytes(3, 3), random, rest));
  }

  private static HandshakeProof.Kind kind(byte[] flow) {
    HandshakeProof whole = new HandshakeProof();
    whole.feed(flow, 0, flow.length);
    HandshakeProof bit = new HandshakeProof();
    for (int i = 0; i < flow.length; i++) {
      bit.feed(flow, i, 1);
    }
    assertEquals(whole.kind(), bit.kind());
    return whole.kind();
  }

  private static final byte[] CCS = record(20, bytes(1));

  @Test
  void aCertificateBeforeChangeCipherSpecIsAFullHandshake() {
    byte[] messages = joined(hello(0), message(11, new byte[700]), message(14, new byte[0]));
    assertEquals(HandshakeProof.Kind.FULL, kind(joined(record(22, messages), CCS)));
    // The same in records of 100 bytes, as a server may cut them.
    byte[] cut = new byte[0];
    for (int at = 0; at < messages.length; at += 100) {
      byte[] part = java.util.Arrays.copyOfRange(messages, at, Math.min(messages.length, at + 100));
      cut = joined(cut, record(22, part));
    }
    assertEquals(HandshakeProof.Kind.FULL, kind(joined(cut, CCS)));
  }

  @Test
  void noneIsAResumedOne() {
    assertEquals(HandshakeProof.Kind.RESUMED, kind(joined(record(22, hello(0)), CCS)));
    byte[] withTicket = joined(record(22, hello(0)), record(22, message(4, new byte[200])), CCS);
    assertEquals(HandshakeProof.Kind.RESUMED, kind(withTicket));
  }

  @Test
  void inTls13ThePreSharedKeyTells() {
    assertEquals(HandshakeProof.Kind.FULL, kind(joined(record(22, hello(0, SUPPORTED_VERSION)), CCS)));
    byte[] resumed = record(22, hello(0, SUPPORTED_VERSION, PRE_SHARED_KEY));
    assertEquals(HandshakeProof.Kind.RESUMED, kind(joined(resumed, CCS)));
  }

  @Test
  void inTls13TheKeyShareNamesTheGroup() {
    HandshakeProof proof = new HandshakeProof();
    byte[] flow = record(22, hello(0, SUPPORTED_VERSION, new int[] {0, 51, 0, 2, 0x11, 0xEC}));
    proof.feed(flow, 0, flow.length);
    assertTrue(proof.hasGroup("X25519MLKEM768"));
    assertFalse(proof.hasGroup("x25519"));
    assertFalse(new HandshakeProof().hasGroup("unknown"));
  }

  @Test
  void aRetryTellsNothing() {
    byte[] retry = record(22, hello(0xCF, SUPPORTED_VERSION));
    assertEquals(HandshakeProof.Kind.UNKNOWN, kind(joined(retry, CCS)));
    byte[] full = joined(retry, CCS, record(22, hello(0, SUPPORTED_VERSION)));
    assertEquals(HandshakeProof.Kind.FULL, kind(full));
  }

  @Test
  void whatIsNoHandshakeTellsNothing() {
    assertEquals(HandshakeProof.Kind.UNKNOWN, kind(record(21, bytes(2, 40))));
    assertEquals(HandshakeProof.Kind.UNKNOWN, kind(joined(record(22, hello(0)), record(21, bytes(2, 40)))));
    assertEquals(HandshakeProof.Kind.UNKNOWN, kind(CCS));
    assertEquals(HandshakeProof.Kind.UNKNOWN, kind(new byte[0]));
  }
}
