package jcarerun;

import java.security.MessageDigest;
import java.security.MessageDigestSpi;
import java.security.NoSuchAlgorithmException;

/** A digest that is wrong in its last bit: always, or once it has answered well for some time. */
final class FakeDigest extends MessageDigestSpi {
  private final MessageDigest real;
  private final String fault;
  private int calls;

  FakeDigest(String algorithm, String fault) throws NoSuchAlgorithmException {
    this.real = MessageDigest.getInstance(algorithm);
    this.fault = fault;
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
    if (fault.equals("digest") || fault.equals("later") && ++calls > FakeProvider.GOOD) {
      digest[digest.length - 1] ^= 1;
    }
    return digest;
  }

  @Override
  protected void engineReset() {
    real.reset();
  }
}
