package jcarerun.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kit's parts by themselves. */
class KitPartsTest {
  @Test
  void aPlannedRoundKnowsWhatItsRecordSays() {
    PlannedRound round = PlannedRound.read(Arrays.asList(PlannedRound.HEADER,
        "e\tquick-1-01\t1\tquick\t7\t281474976710655\t12.345\t120\tbc=abc,sunjce=")).get(0);
    assertEquals("abc", round.providers.get("bc"));
    assertEquals("", round.providers.get("sunjce"));
    assertEquals("results/e/kit-0/quick-1-01", round.result("kit-0"));
    assertEquals("281474976710655", round.record("kit-0").get("order_seed").toString());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"other | line 1", "a\tb | line 2", "a\tb\t1\tquick\t7\t8\tx\t120\tp= | line 2"})
  void aBrokenPlanIsNamed(String line, String words) {
    List<String> lines = words.contains("1") ? Collections.singletonList(line)
        : Arrays.asList(PlannedRound.HEADER, line);
    KitError error = assertThrows(KitError.class, () -> PlannedRound.read(lines));
    assertTrue(error.getMessage().startsWith("plan.tsv, " + words), error.getMessage());
  }

  @Test
  void aManifestNamesTheFirstFileThatIsBad(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("jmh"));
    Files.writeString(folder.resolve("jmh/001.json"), "[]");
    Files.writeString(folder.resolve("a"), "");
    Manifest.write(folder);
    Path list = folder.resolve(Manifest.NAME);
    String empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assertEquals(empty + "  a", Files.readAllLines(list).get(0));
    assertTrue(Files.readAllLines(list).get(1).endsWith("  jmh/001.json"));
    assertNull(Manifest.firstBad(folder, list));
    Files.writeString(folder.resolve("jmh/001.json"), "[1]");
    assertEquals("jmh/001.json", Manifest.firstBad(folder, list));
    Files.delete(folder.resolve("jmh/001.json"));
    assertEquals("jmh/001.json", Manifest.firstBad(folder, list));
  }

  @Test
  void stealIsAShareOfAllTime() {
    Map<String, Long> before = Moment.jiffies("cpu  10 0 10 80 0 0 0 0 0 0\ncpu0 ...");
    Map<String, Long> after = Moment.jiffies("cpu  60 0 10 105 0 0 0 25 0 0");
    assertEquals(0.25, Moment.stealShare(before, after));
    assertNull(Moment.stealShare(null, after));
    assertNull(Moment.stealShare(before, before));
    assertNull(Moment.jiffies("nonsense"));
    assertNull(Moment.jiffies(null));
  }

  @ParameterizedTest
  @CsvSource({"Windows 10,windows", "Mac OS X,macos", "Linux,linux", "SunOS,other"})
  void platforms(String os, String platform) {
    assertEquals(platform, Machine.platform(os));
  }

  @ParameterizedTest
  @CsvSource({"1.8,8", "9,9", "17,17"})
  void releases(String specification, int release) {
    assertEquals(release, Jvm.release(specification));
  }

  @Test
  void aJvmIsItsVersionWithoutWarningsAndLineEnds(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("jvm"));
    Files.writeString(folder.resolve("jvm/version.txt"), "VM warning: option\r\nopenjdk 17\r\nbuild 17\r\n");
    String windows = Jvm.imageId(folder);
    Files.writeString(folder.resolve("jvm/version.txt"), "openjdk 17\nbuild 17\n");
    assertEquals(windows, Jvm.imageId(folder));
    assertEquals("kit:" + Manifest.sha256("openjdk 17\nbuild 17"), windows);
  }

  @Test
  void aRoundsJvmAndKernelAreReadForTheAudit(@TempDir Path folder) throws Exception {
    Files.createDirectories(folder.resolve("jvm"));
    Files.writeString(folder.resolve("jvm/flags-native.txt"), "     bool UseAES  = true  {ARCH product} {default}\n"
        + "     bool UseAESIntrinsics := false {ARCH diagnostic}\n  uintx MaxHeapSize = 5 {product}\n");
    assertEquals("{native={UseAES=true, UseAESIntrinsics=false}}", Jvm.intrinsics(folder).toString());
    Files.writeString(folder.resolve("limits.txt"), "cpus_allowed: 0-1\ncgroup: not exposed\n");
    assertEquals("{asked=null, inside={cpus_allowed=0-1, cgroup=null}, enforced=null}", Jvm.limits(folder).toString());
  }

  @Test
  void aMachineIsTheSameEveryTimeAndTellsNullForWhatItDoesNotKnow(@TempDir Path root) throws Exception {
    Machine machine = new Machine(root);
    assertTrue(machine.id.matches("[0-9a-f]{12}"), machine.id);
    assertEquals(machine.id, new Machine(root).id);
    Map<String, Object> facts = machine.facts(Arrays.asList("kernel", "no such fact"));
    assertTrue(facts.containsKey("no such fact"));
    assertNull(facts.get("no such fact"));
    assertEquals(System.getProperty("os.version"), facts.get("kernel"));
  }

  @Test
  void whatAMachineDoesNotTellIsNull() {
    assertNull(Ask.file("/no/such/file"));
    assertNull(Ask.program("no-such-program-anywhere"));
    assertNull(Ask.bean("NoSuchAttribute"));
    assertNull(Ask.field("a: 1\n", "b", ':'));
    assertEquals("1", Ask.field("x\na : 1\n", "a", ':'));
  }

  @ParameterizedTest
  @CsvSource({"95,1:35 min", "4000,1:06 h", "0,0:00 min"})
  void durations(double seconds, String words) {
    assertEquals(words, Clock.words(seconds));
  }
}
