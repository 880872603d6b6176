package jcarerun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Provider;
import java.security.Security;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What provider ids stand for. */
class ProvidersTest {
  private static final String CLASS = BouncyCastleProvider.class.getName();

  @AfterEach
  void forget() {
    System.clearProperty("jcarerun.provider.x");
  }

  @Test
  void defaultIsTheSearchOrder() {
    assertNull(Providers.get("default"));
  }

  @Test
  void anIdWithoutPropertyIsAnInstalledProvider() {
    assertSame(Security.getProvider("SunJCE"), Providers.get("SunJCE"));
  }

  @Test
  void aPropertyNamesAnInstalledProvider() {
    System.setProperty("jcarerun.provider.x", "SunJCE");
    assertEquals("SunJCE", Providers.get("x").getName());
  }

  @Test
  void aProviderFromAJarHasAClassPathOfItsOwn() {
    System.setProperty("jcarerun.provider.x", CLASS + "@" + BouncyCastle.jar());
    Provider provider = Providers.get("x");
    assertEquals("BC", provider.getName());
    assertNotSame(BouncyCastleProvider.class, provider.getClass());
    assertNull(Security.getProvider("BC"), "must not be inserted into the JCA's list");
  }

  @Test
  void anUnknownIdIsRefusedWithTheKnownOnesAndTheMend() {
    String message = refusal("nosuch");
    assertTrue(message.contains("'nosuch'") && message.contains("SunJCE") && message.contains("default"), message);
    assertTrue(message.contains("-Djcarerun.provider.nosuch=<class>@<jar>"), message);
  }

  @Test
  void aMissingJarIsNamed() {
    System.setProperty("jcarerun.provider.x", CLASS + "@no/such.jar");
    assertTrue(refusal("x").contains("no"), refusal("x"));
    assertTrue(refusal("x").contains("such.jar"), refusal("x"));
  }

  @Test
  void aMissingClassIsNamed() {
    System.setProperty("jcarerun.provider.x", "no.such.Provider@" + BouncyCastle.jar());
    assertTrue(refusal("x").contains("no.such.Provider"), refusal("x"));
  }

  @Test
  void aClassThatIsNoProviderIsRefused() {
    System.setProperty("jcarerun.provider.x", "java.lang.Object@" + BouncyCastle.jar());
    assertTrue(refusal("x").contains("java.lang.Object"), refusal("x"));
  }

  private static String refusal(String id) {
    String message = assertThrows(IllegalArgumentException.class, () -> Providers.get(id)).getMessage();
    assertEquals(1, message.split("\n").length, message);
    return message;
  }
}
