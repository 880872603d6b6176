package jcarerun.workload;

import java.security.GeneralSecurityException;

/** DES in ECB mode with PKCS#5 padding: one message, two blocks. */
public class DesCipher extends MessageCipher {
  @Override
  protected String subject() {
    return "DES/ECB/PKCS5Padding";
  }

  @Override
  protected void makeKeys() throws GeneralSecurityException {
    encryptionKey = Keys.secret("DES", 56, jca);
    decryptionKey = encryptionKey;
  }

  @Override
  protected int encryptedLength() {
    return 16;
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    KnownAnswers.verify(check, "DES", jca);
    super.verify(check);
  }
}
