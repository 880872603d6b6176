package jcarerun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What provider ids stand for, what a provider is asked for, and what another may do for it. */
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
    System.setProperty("jcarerun.provider.x", CLASS + "@" + TestProviders.jar("bcprov-jdk18on"));
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
    System.setProperty("jcarerun.provider.x", "no.such.Provider@" + TestProviders.jar("bcprov-jdk18on"));
    assertTrue(refusal("x").contains("no.such.Provider"), refusal("x"));
  }

  @Test
  void aClassThatIsNoProviderIsRefused() {
    System.setProperty("jcarerun.provider.x", "java.lang.Object@" + TestProviders.jar("bcprov-jdk18on"));
    assertTrue(refusal("x").contains("java.lang.Object"), refusal("x"));
  }

  private static String refusal(String id) {
    String message = assertThrows(IllegalArgumentException.class, () -> Providers.get(id)).getMessage();
    assertEquals(1, message.split("\n").length, message);
    return message;
  }

  @Test
  void theAlgorithmsOfTheJdksProvidersAreListedTogether() {
    List<String> lines = AlgorithmList.lines("SunJCE");
    assertTrue(lines.contains("Cipher\tAES/GCM/NoPadding\tSunJCE"), lines.toString());
    assertTrue(lines.contains("MessageDigest\tSHA-256\tSUN"), lines.toString());
  }

  @Test
  void thoseOfOneFromAJarAreListedAlone() {
    TestProviders.define();
    List<String> lines = AlgorithmList.lines("bouncycastle");
    assertTrue(lines.contains("MessageDigest\tBLAKE3-256\tBC"), lines.toString());
    assertTrue(lines.stream().allMatch(line -> line.endsWith("\tBC")));
  }

  @Test
  void oneThatCannotBeLoadedHasAReasonInTheList() {
    List<String> lines = AlgorithmList.lines("nobody");
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).startsWith("error\tprovider 'nobody' is unknown"), lines.get(0));
  }

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
