package jcarerun.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kit as somebody far away runs it. */
class KitMainTest {
  private static final String SHOT = "-bm ss -f 1 -wi 0 -i 2";
  private static final String HANG = SHOT + " -p outcome=hang";

  @TempDir
  Path directory;

  @Test
  void everyRoundIsMeasuredOnceAndPacked() throws Exception {
    TestKit kit = new TestKit(directory, SHOT, SHOT).run();
    assertEquals(0, kit.exit, kit.said);
    List<Path> results = kit.results();
    assertEquals(2, results.size());
    Path first = results.get(0);
    assertTrue(first.getParent().getFileName().toString().matches("kit-[0-9a-f]{12}"));
    assertNull(KitFiles.firstBad(first, first.resolve(KitFiles.MANIFEST)));
    List<String> files = KitFiles.files(first);
    assertTrue(files.containsAll(Arrays.asList("cells.csv", "forks.tsv", "commands.txt", "iterations.csv",
        "gates.tsv", "interference.csv", "console.log", "jvm/version.txt", "jmh/001.json", "jmh/001.txt",
        "gc/001.log", "machine/round.txt", "machine/host.txt", "machine/before.txt", "machine/after.txt",
        "machine/host/proc/cpuinfo", "machine/before/proc/stat", "machine/after/proc/stat")), files.toString());
    assertEquals(KitFiles.files(first).size() - 1, Files.readAllLines(first.resolve(KitFiles.MANIFEST)).size());
    List<String> round = Files.readAllLines(first.resolve("machine/round.txt"));
    assertTrue(round.contains("seed=1") && round.get(1).matches("jar_sha256=[0-9a-f]{64}"), round.toString());
    assertTrue(kit.said.contains("round 2 of 2: selftest"), kit.said);
    assertPacked(kit);

    assertEquals(0, kit.run().exit, kit.said);
    assertTrue(kit.said.contains("2 of 2 rounds are there, nothing is left to measure"), kit.said);
    Files.writeString(first.resolve("iterations.csv"), "");
    assertEquals(2, kit.run().exit, "a result that was changed");
    assertTrue(kit.said.contains("r-01/iterations.csv: is missing or was changed; remove that round"), kit.said);
  }

  private static void assertPacked(TestKit kit) throws Exception {
    String environment = kit.results().get(0).getParent().getFileName().toString();
    try (ZipFile zip = new ZipFile(kit.root.resolve("jca-rerun-results-" + environment + ".zip").toFile())) {
      List<String> names = zip.stream().map(ZipEntry::getName).collect(Collectors.toList());
      assertTrue(names.contains("selftest/" + environment + "/r-02/machine/round.txt"), names.toString());
      assertTrue(names.stream().noneMatch(name -> name.contains("\\")), names.toString());
    }
  }

  /** The processes of a kit that has measured some rounds and is at the next. */
  private static List<ProcessHandle> childrenOnceItMeasures(TestKit kit, Process process, int done) throws Exception {
    while (kit.results().size() < done || kit.inWork().isEmpty()
        || !Files.exists(kit.inWork().get(0).resolve("iterations.csv"))) {
      assertTrue(process.isAlive(), "it ended by itself");
      Thread.sleep(50);
    }
    List<ProcessHandle> children = process.descendants().collect(Collectors.toList());
    assertFalse(children.isEmpty());
    return children;
  }

  @Test
  void aKilledKitGoesOnAndItsForksEnd() throws Exception {
    TestKit kit = new TestKit(directory, SHOT, HANG);
    Process process = kit.start();
    List<ProcessHandle> children = childrenOnceItMeasures(kit, process, 1);
    process.destroyForcibly().waitFor();
    children.get(0).onExit().get(30, TimeUnit.SECONDS);
    children.forEach(ProcessHandle::destroyForcibly);
    kit.run("--pack");
    assertEquals(0, kit.exit, kit.said);
    assertTrue(kit.said.contains("1 of 2 rounds are packed"), kit.said);
    assertTrue(kit.inWork().isEmpty());
  }

  @Test
  void aKitThatIsAskedToEndDoesSoQuietly() throws Exception {
    TestKit kit = new TestKit(directory, HANG);
    Process process = kit.start();
    List<ProcessHandle> children = childrenOnceItMeasures(kit, process, 0);
    process.destroy();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it ends");
    children.get(0).onExit().get(30, TimeUnit.SECONDS);
    children.forEach(ProcessHandle::destroyForcibly);
    String said = Files.readString(directory.resolve("said"));
    assertFalse(said.contains("rror") || said.contains("xception"), said);
    assertFalse(Files.exists(directory.resolve("failed")));
  }

  @Test
  void aRoundThatFailsIsKeptForALook() throws Exception {
    TestKit kit = new TestKit(directory, SHOT + " -p outcome=throw", SHOT).run();
    assertEquals(1, kit.exit, kit.said);
    assertTrue(kit.said.contains("error: selftest, r-01: the round failed (status 1): fork 1 (SelfTest.run"), kit.said);
    assertFalse(kit.said.contains("\tat "), kit.said);
    assertTrue(Files.exists(directory.resolve("failed/selftest-r-01/jmh/001.txt")));
    assertTrue(kit.results().isEmpty() && kit.inWork().isEmpty());
  }

  @Test
  void aKitThatIsNotWholeIsRefused() throws Exception {
    TestKit kit = new TestKit(directory, SHOT);
    Files.writeString(directory.resolve("rounds/selftest/r-01/forks.tsv"), "1\tother");
    assertEquals(2, kit.run().exit);
    assertTrue(kit.said.contains("error: rounds/selftest/r-01/forks.tsv: is missing or was changed"), kit.said);
  }

  @Test
  void whatItDoesNotUnderstandIsSaid() throws Exception {
    TestKit kit = new TestKit(directory, SHOT).run("--help");
    assertEquals(2, kit.exit);
    assertTrue(kit.said.contains("the only argument is --pack"), kit.said);
  }
}
