package jcarerun.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.CipherOutputStream;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import jcarerun.Jca;

/** What serialised graphs become on their way: one session, with a fresh key where there is one. */
abstract class Sender {
  abstract byte[] send(byte[] plain) throws GeneralSecurityException, IOException;

  /** Undoes what was sent last, or compares what can be compared of it. */
  abstract void verify(Check check, byte[] plain, byte[] sent) throws GeneralSecurityException;

  /** As it is. */
  static final class Plain extends Sender {
    @Override
    byte[] send(byte[] plain) {
      return plain;
    }

    @Override
    void verify(Check check, byte[] plain, byte[] sent) {
      check.same("stream", plain, sent);
    }
  }

  /** As many random bytes instead. */
  static final class Noise extends Sender {
    private final SecureRandom random;

    Noise(SecureRandom random) {
      this.random = random;
    }

    @Override
    byte[] send(byte[] plain) {
      byte[] bytes = new byte[plain.length];
      random.nextBytes(bytes);
      return bytes;
    }

    @Override
    void verify(Check check, byte[] plain, byte[] sent) {
      check.same("length of the stream", plain.length, sent.length);
    }
  }

  /** Encrypted by a block cipher. */
  static final class Encrypted extends Sender {
    private final String transformation;
    private final Provider provider;
    private final SecretKey key;
    private final Cipher cipher;
    private byte[] iv;

    Encrypted(String transformation, int bits, Provider provider) throws GeneralSecurityException {
      this.transformation = transformation;
      this.provider = provider;
      KeyGenerator generator = Jca.keyGenerator(transformation.split("/")[0], provider);
      generator.init(bits);
      key = generator.generateKey();
      cipher = Jca.cipher(transformation, provider);
    }

    @Override
    byte[] send(byte[] plain) throws GeneralSecurityException, IOException {
      cipher.init(Cipher.ENCRYPT_MODE, key);
      iv = cipher.getIV();
      ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
      try (CipherOutputStream encrypting = new CipherOutputStream(out, cipher)) {
        encrypting.write(plain);
      }
      return out.toByteArray();
    }

    @Override
    void verify(Check check, byte[] plain, byte[] sent) throws GeneralSecurityException {
      KnownAnswers.verify(check, transformation.split("/")[0], provider);
      Cipher undo = Jca.cipher(transformation, provider);
      undo.init(Cipher.DECRYPT_MODE, key, iv == null ? null : new IvParameterSpec(iv));
      check.same("decrypted stream", plain, undo.doFinal(sent));
    }
  }

  /** Encrypted by RSA in blocks: the plain bytes in pieces, or zeros until there are as many bytes. */
  static final class Blocks extends Sender {
    private final String transformation;
    private final Provider provider;
    private final boolean zeros;
    private final int blockBytes;
    private final KeyPair pair;
    private final Cipher cipher;

    Blocks(String transformation, boolean zeros, int bits, Provider provider) throws GeneralSecurityException {
      this.transformation = transformation;
      this.provider = provider;
      this.zeros = zeros;
      this.blockBytes = bits / 8;
      KeyPairGenerator generator = Jca.keyPairGenerator("RSA", provider);
      generator.initialize(bits);
      pair = generator.generateKeyPair();
      cipher = Jca.cipher(transformation, provider);
      cipher.init(Cipher.ENCRYPT_MODE, pair.getPublic());
    }

    @Override
    byte[] send(byte[] plain) throws GeneralSecurityException {
      ByteArrayOutputStream out = new ByteArrayOutputStream(8192);
      byte[] message = new byte[ZeroBytes.LENGTH];
      for (int at = 0; zeros ? out.size() < plain.length : at < plain.length; at += message.length) {
        if (!zeros) {
          message = Arrays.copyOfRange(plain, at, at + message.length);
        }
        byte[] block = cipher.doFinal(message);
        out.write(block, 0, block.length);
      }
      return out.toByteArray();
    }

    @Override
    void verify(Check check, byte[] plain, byte[] sent) throws GeneralSecurityException {
      Cipher undo = Jca.cipher(transformation, provider);
      undo.init(Cipher.DECRYPT_MODE, pair.getPrivate());
      byte[] message = undo.doFinal(sent, 0, blockBytes);
      // With padding the message itself; without it the block, with its leading zeros or without as the provider likes.
      byte[] last = new byte[ZeroBytes.LENGTH];
      int length = zeros ? message.length : Math.min(message.length, last.length);
      check.that("first message has " + length + " bytes", length <= last.length && (!zeros || length == last.length));
      System.arraycopy(message, message.length - length, last, last.length - length, length);
      check.same("first message", zeros ? new byte[last.length] : Arrays.copyOf(plain, last.length), last);
    }
  }
}
