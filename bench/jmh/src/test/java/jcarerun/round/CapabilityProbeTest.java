package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jcarerun.TestProviders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A round asks each provider what it offers, and runs no fork that can't or mustn't be timed. */
class CapabilityProbeTest {
  @TempDir
  Path directory;

  private final List<String> forks = new ArrayList<>();

  private void fork(String workload, String provider, String... parameters) {
    StringBuilder line = new StringBuilder((forks.size() + 1) + " ^jcarerun\\.workload\\." + workload + "$"
        + " -f 1 -wi 0 -i 1 -bm ss -p provider=" + provider);
    Arrays.stream(parameters).forEach(parameter -> line.append(" -p ").append(parameter));
    line.append(" -jvmArgs -Xmx128m");
    if (provider.matches("bouncycastle|gnu-crypto|cryptix")) {
      line.append(" -jvmArgs ").append(TestProviders.option(provider));
    }
    forks.add(line.toString());
  }

  @Test
  void whatAProviderLacksIsMarkedAndNotRun() throws Exception {
    fork("Digest\\.digest", "SunJCE", "algorithm=SHA-256", "bytes=1000");
    fork("Digest\\.digest", "SunJCE", "algorithm=Tiger", "bytes=1000");
    fork("Digest\\.digest", "bouncycastle", "algorithm=Tiger", "bytes=2000");
    fork("Digest\\.digest", "gnu-crypto", "algorithm=Whirlpool", "bytes=1000");
    fork("Digest\\.digest", "no-such", "algorithm=SHA-256", "bytes=1000");
    Round round = Round.run(directory, forks);
    assertEquals(0, round.exit, round.err.toString());
    List<String> rows = round.lines("offered.csv");
    assertEquals("fork,offered,why,answer", rows.get(0));
    assertTrue(rows.get(1).matches("1,yes,\"\",[0-9a-f]{64}"), rows.get(1));
    assertTrue(rows.get(2).startsWith("2,no,\"NoSuchAlgorithmException: ") && rows.get(2).endsWith("\","), rows.get(2));
    assertTrue(rows.get(3).startsWith("3,yes,"), rows.get(3));
    assertTrue(rows.get(4).startsWith("4,wrong,\"Whirlpool of provider gnu-crypto is wrong: "), rows.get(4));
    assertTrue(rows.get(5).startsWith("5,no,\"IllegalArgumentException: provider 'no-such' is unknown"), rows.get(5));
    assertEquals(1, round.iterations(1).size());
    assertEquals(1, round.iterations(3).size());
    assertEquals(3, round.lines("iterations.csv").size(), "a header and the two forks that can run");
    assertFalse(Files.exists(directory.resolve("jmh/002.json")));
    assertEquals("progress 5 5 5", round.out.get(round.out.size() - 1));
  }

  @Test
  void aProviderWhoseFirstForkIsColdIsAskedLikeAnyOther() throws Exception {
    fork("SecretKeyCipher\\.encrypt", "SunJCE", "transformation=AES/CBC/PKCS5Padding", "bits=128", "bytes=1000",
        "content=fixed", "init=inside");
    fork("Signing\\.sign", "SunJCE", "algorithm=SHA256withRSA", "keys=RSA", "bits=1024", "bytes=1000");
    forks.replaceAll(line -> line + " -jvmArgs -Djcarerun.cold=true");
    Round round = Round.run(directory, forks);
    assertEquals(0, round.exit, round.err.toString());
    assertTrue(round.lines("offered.csv").get(1).matches("1,yes,\"\",[0-9a-f]{64}"), round.lines("offered.csv").get(1));
    assertTrue(round.lines("offered.csv").get(2).startsWith("2,yes,"), round.lines("offered.csv").get(2));
    assertEquals(3, round.lines("iterations.csv").size(), "a header and both forks");
  }

  @ParameterizedTest
  @CsvSource({"a:x b:x c:y, a:yes b:yes c:differs", "a:x b:y, a:differs b:differs", "a:x b:x, a:yes b:yes",
      "a:x b:x c:y d:y e:z, a:differs b:differs c:differs d:differs e:differs"})
  void whatMostProvidersGiveIsRightAndNobodyIsBelievedInATie(String answers, String expected) {
    Map<String, String[]> byProvider = new TreeMap<>();
    for (String answer : answers.split(" ")) {
      byProvider.put(answer.split(":")[0], new String[] {"yes", answer.split(":")[1], ""});
    }
    byProvider.put("lacking", new String[] {"no", "", "it has none"});
    CapabilityProbe.compare(byProvider);
    assertEquals("no", byProvider.remove("lacking")[0]);
    assertEquals(expected, byProvider.entrySet().stream().map(entry -> entry.getKey() + ":" + entry.getValue()[0])
        .collect(Collectors.joining(" ")));
    if (byProvider.size() == 3) {
      assertEquals("gives another result than a and b", byProvider.get("c")[2]);
    }
  }
}
