package jcarerun.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jcarerun.kit.Kit.PlannedRound;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kit's parts by themselves. */
class KitPartsTest {
  @Test
  void aPlannedRoundKnowsWhereItsResultGoes() {
    PlannedRound round = PlannedRound.read(
        Arrays.asList(PlannedRound.HEADER, "e\tquick-1-01\t7\t12.345\t120\tharness.jar,subjects/a.jar")).get(0);
    assertEquals("results/e/kit-0/quick-1-01", round.result("kit-0"));
    assertEquals(7, round.seed);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"other | line 1", "a\tb | line 2", "a\tb\t7\tx\t120 | line 2"})
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
    KitFiles.writeManifest(folder);
    Path list = folder.resolve(KitFiles.MANIFEST);
    String empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assertEquals(empty + "  a", Files.readAllLines(list).get(0));
    assertTrue(Files.readAllLines(list).get(1).endsWith("  jmh/001.json"));
    assertNull(KitFiles.firstBad(folder, list));
    Files.writeString(folder.resolve("jmh/001.json"), "[1]");
    assertEquals("jmh/001.json", KitFiles.firstBad(folder, list));
    Files.delete(folder.resolve("jmh/001.json"));
    assertEquals("jmh/001.json", KitFiles.firstBad(folder, list));
  }

  @ParameterizedTest
  @CsvSource({"Windows 10,windows", "Mac OS X,macos", "Linux,linux", "SunOS,other"})
  void platforms(String os, String platform) {
    assertEquals(platform, Machine.platform(os));
  }

  @Test
  void aMachineIsTheSameEveryTime(@TempDir Path root) throws Exception {
    Capture nothing = new Capture(root, Collections.emptyList());
    Machine machine = new Machine(root, nothing);
    assertTrue(machine.id.matches("[0-9a-f]{12}"), machine.id);
    assertEquals(machine.id, new Machine(root, nothing).id);
    assertEquals(System.getProperty("os.version"), machine.host().get("os.version"));
  }

  @Test
  void aComputerWithTwoSystemsIsTheMachineThatItsOwnerSays(@TempDir Path root) throws Exception {
    Capture nothing = new Capture(root, Collections.emptyList());
    Files.writeString(root.resolve("same-machine.txt"), "0123456789ab\n");
    assertEquals("0123456789ab", new Machine(root, nothing).id);
    Files.writeString(root.resolve("same-machine.txt"), "my PC\n");
    assertThrows(KitError.class, () -> new Machine(root, nothing));
  }

  @Test
  void aCpuOfTheSameNameAndOtherFlagsIsAnotherMachine(@TempDir Path root) throws Exception {
    Capture capture = new Capture(root, Arrays.asList("host\t/proc/cpuinfo\tmodel name,flags"));
    Files.createDirectories(root.resolve("proc"));
    Set<String> ids = new HashSet<>();
    for (String lines : new String[] {"flags\t: a\n", "flags\t: a b\n", "flags\t: a\ncpu MHz\t: 1\n"}) {
      Files.writeString(root.resolve("proc/cpuinfo"), "model name\t: X\n" + lines);
      ids.add(new Machine(root, capture).id);
    }
    assertEquals(2, ids.size());
  }

  @Test
  void filesAreCapturedAsTheyAreAndOnlyWhatIsAskedFor(@TempDir Path root, @TempDir Path target) throws Exception {
    Files.createDirectories(root.resolve("proc"));
    Files.writeString(root.resolve("proc/cpuinfo"), "model name\t: X\nSerial\t\t: 0123\nmodel name\t: Y\n");
    for (String cpu : new String[] {"cpu0", "cpu1", "cpuidle"}) {
      Files.createDirectories(root.resolve("sys").resolve(cpu));
      Files.writeString(root.resolve("sys").resolve(cpu).resolve("governor"), cpu + '\n');
    }
    Capture capture = new Capture(root, Arrays.asList("host\t/proc/cpuinfo\tmodel name",
        "host\t/sys/cpu[0-9]*/governor\t", "moment\t/proc/stat\t", "host\t/no/such\t"));
    capture.files("host", target);
    assertEquals(Arrays.asList("proc/cpuinfo", "sys/cpu0/governor", "sys/cpu1/governor"), KitFiles.files(target));
    assertEquals("model name\t: X\n", Files.readString(target.resolve("proc/cpuinfo")));
    assertEquals("cpu1\n", Files.readString(target.resolve("sys/cpu1/governor")));
  }

  @Test
  void whatIsToldIsALineEach(@TempDir Path target) throws Exception {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("a", "x\r\ny ");
    told.put("none", null);
    told.put("b", 1.5);
    Capture.lines(told, target.resolve("m/told.txt"));
    assertEquals("a=x y\nb=1.5\n", Files.readString(target.resolve("m/told.txt")));
  }

  @Test
  void whatAMachineDoesNotTellIsNull() {
    assertNull(Machine.fileText("/no/such/file"));
    assertNull(Machine.programOutput("no-such-program-anywhere"));
    assertNull(Machine.beanNumber("NoSuchAttribute"));
    assertNull(Machine.field("a: 1\n", "b", ':'));
    assertEquals("1", Machine.field("x\na : 1\n", "a", ':'));
  }

  @ParameterizedTest
  @CsvSource({"95,1:35 min", "4000,1:06 h", "0,0:00 min"})
  void durations(double seconds, String words) {
    assertEquals(words, KitMain.Progress.words(seconds));
  }
}
