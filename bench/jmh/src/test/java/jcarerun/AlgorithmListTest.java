package jcarerun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lists what providers offer, as they say themselves. */
class AlgorithmListTest {
  @BeforeAll
  static void define() {
    OtherProviders.define();
  }

  @Test
  void theJdksProvidersAreListedTogether() {
    List<String> lines = AlgorithmList.lines("SunJCE");
    assertTrue(lines.contains("Cipher\tAES/GCM/NoPadding\tSunJCE"), lines.toString());
    assertTrue(lines.contains("MessageDigest\tSHA-256\tSUN"), lines.toString());
  }

  @Test
  void oneFromAJarIsListedAlone() {
    List<String> lines = AlgorithmList.lines("bouncycastle");
    assertTrue(lines.contains("MessageDigest\tBLAKE3-256\tBC"), lines.toString());
    assertTrue(lines.stream().allMatch(line -> line.endsWith("\tBC")));
  }

  @Test
  void oneThatCannotBeLoadedHasAReason() {
    List<String> lines = AlgorithmList.lines("nobody");
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).startsWith("error\tprovider 'nobody' is unknown"), lines.get(0));
  }
}
