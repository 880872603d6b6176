package jcarerun.workload;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Param;

/** RSA with PKCS#1 version 1.5 padding: encrypts with the public key, decrypts with the private one. */
public class RsaCipher extends MessageCipher {
  /** Algorithm of cipher and keys. */
  @Param("RSA")
  public String algorithm;

  /** Length of the modulus in bits. */
  @Param({"1024", "2048"})
  public int bits;

  @Override
  protected String subject() {
    return algorithm + "/ECB/PKCS1Padding";
  }

  @Override
  protected void makeKeys() throws GeneralSecurityException {
    KeyPair pair = Keys.pair(algorithm, bits, jca);
    encryptionKey = pair.getPublic();
    decryptionKey = pair.getPrivate();
  }

  @Override
  protected int encryptedLength() {
    return bits / 8;
  }

  /** Besides the round trip, undoes the encryption by the textbook, without the provider. */
  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    RSAPublicKey open = (RSAPublicKey) encryptionKey;
    RSAPrivateKey secret = (RSAPrivateKey) decryptionKey;
    check.same("length of the modulus in bits", bits, open.getModulus().bitLength());
    super.verify(check);
    byte[] block = new BigInteger(1, encrypted)
        .modPow(secret.getPrivateExponent(), secret.getModulus()).toByteArray();
    // The block is 00 02, at least 8 random bytes, 00, message; BigInteger drops the leading zero.
    check.same("length of the padded block", bits / 8 - 1, block.length);
    check.same("type of the padding", 2, block[0]);
    int start = block.length - MESSAGE.length;
    check.same("byte before the message", 0, block[start - 1]);
    check.same("message in the padded block", MESSAGE, Arrays.copyOfRange(block, start, block.length));
    check.that("two encryptions are equal, so the padding isn't random", !Arrays.equals(encrypted, encrypt()));
  }
}
