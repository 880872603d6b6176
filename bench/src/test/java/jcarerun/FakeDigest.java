package jcarerun;

import java.security.MessageDigest;
import java.security.MessageDigestSpi;
import java.security.NoSuchAlgorithmException;

/** A digest that is wrong in its last bit. */
final class FakeDigest extends MessageDigestSpi {
  private final MessageDigest real;

  FakeDigest(String algorithm) throws NoSuchAlgorithmException {
    this.real = MessageDigest.getInstance(algorithm);
  }

  @Override
  protected void engineUpdate(byte input) {
    real.update(input);
  }

  @Override
  protected void engineUpdate(byte[] input, int offset, int length) {
    real.update(input, offset, length);
  }

  @Override
  protected byte[] engineDigest() {
    byte[] digest = real.digest();
    digest[digest.length - 1] ^= 1;
    return digest;
  }

  @Override
  protected void engineReset() {
    real.reset();
  }
}
