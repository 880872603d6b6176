package jcarerun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import org.junit.jupiter.api.Test;

/** What a provider is asked for, and what another may do for it. */
class JcaTest {
  @Test
  void aProviderWithoutAKeyFactoryTakesTheKeysOfAnother() throws Exception {
    assertNotEquals("Fake", Jca.keyFactory("RSA", new FakeProvider()).getProvider().getName());
  }

  @Test
  void anotherMustNotSignForIt() {
    assertThrows(NoSuchAlgorithmException.class, () -> Jca.signature("SHA256withRSA", new FakeProvider()));
  }

  @Test
  @SuppressWarnings("deprecation") // JDK 8 knows no other constructor
  void aParameterSetThatTheKeySaysIsNoPartOfTheNameWithCorretto() {
    Provider corretto = new Provider("AmazonCorrettoCryptoProvider", 1.0, "as its names are") {};
    assertEquals("ML-DSA", Dialect.name("ML-DSA-65", corretto));
    assertEquals("ML-DSA-65", Dialect.name("ML-DSA-65", new FakeProvider()));
  }
}
