package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import jcarerun.FakeProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rounds, good and bad, in real JVMs. */
class RoundMainTest {
  private static final String SHOT = " -f 1 -wi 1 -i 3 -bm ss";
  private static final String AVERAGE = " -f 1 -wi 0 -i 3 -r 10ms -bm avgt -jvmArgs -Xmx64m -jvmArgs -Dx=y";

  @TempDir
  Path directory;

  @Test
  void aRoundEndsWhereItsStandardInputDoes() throws Exception {
    Path nothing = Files.createFile(directory.resolve("nothing"));
    List<String> forks = Arrays.asList("1 KeyGeneration.generate -f 1 -wi 0 -i 1 -r 50s -bm avgt");
    Round round = Round.run(ProcessBuilder.Redirect.from(nothing.toFile()), directory, forks, "--with-stdin");
    assertEquals(1, round.exit, round.err.toString());
    assertFalse(round.out.contains("progress 1 1 1"), round.out.toString());
  }

  @Test
  void aRoundLeavesEverythingItMust() throws Exception {
    long before = System.currentTimeMillis();
    Round round = Round.run(directory, Arrays.asList("1 SelfTest.run" + SHOT, "2 KeyGeneration.generate" + AVERAGE,
        "3 PlainStream.roundTrip -f 1 -wi 0 -i 2 -bm ss", "4 PlainStream.roundTrip -f 1 -wi 0 -i 1 -r 10ms -bm avgt"));
    assertEquals(0, round.exit, round.err.toString());
    assertEquals(Collections.emptyList(), round.err);
    assertEquals("progress 0 4 0;progress 1 4 1;progress 2 4 2;progress 3 4 3;progress 4 4 4",
        String.join(";", round.out));
    assertFalse(Files.exists(directory.resolve("offered.csv")), "no workload of this round compares providers");

    assertEquals("fork,iteration,start_epoch_ms,start_uptime_ms,end_uptime_ms,duration_ns,operations,all_operations,"
        + "worker_cpu_ns,process_user_ns,process_system_ns,involuntary_switches,gc_ms,jit_ms",
        round.lines("iterations.csv").get(0));
    assertIterations(round.iterations(1), 4, before);
    assertIterations(round.iterations(2), 3, before);
    assertTrue(round.iterations(1).stream().allMatch(row -> row[6].equals("1") && row[7].equals("1")));
    assertTrue(round.iterations(2).stream().allMatch(row -> Long.parseLong(row[6]) > 1));
    assertDurations(round);

    assertTrue(String.join("", round.lines("jvm/version.txt")).contains(System.getProperty("java.version")));
    assertTrue(round.lines("jvm/flags-native.txt").stream().anyMatch(line -> line.contains("UseSerialGC")));
    assertTrue(round.lines("limits.txt").stream().allMatch(line -> line.matches("[a-z_]+: .+")), "keys and values");
    assertObservations(round.lines("observations.csv"));
    assertTrue(round.lines("gc/002.log").stream().anyMatch(line -> line.contains("safepoint")));
    assertTrue(round.lines("jmh/002.txt").stream().anyMatch(line -> line.startsWith("# Blackhole mode: full")));
    assertCompilations();
    List<String> commands = round.lines("commands.txt");
    assertEquals(4, commands.size());
    assertTrue(commands.get(1).startsWith("mkdir -p jmh gc jit && java "), commands.get(1));
    assertTrue(commands.get(1).contains("-Xmx64m") && commands.get(1).endsWith(" # fork 002"), commands.get(1));
  }

  /** Every iteration's allocation, and what a workload observes. */
  private static void assertObservations(List<String> rows) {
    assertEquals("fork,iteration,measure,value", rows.get(0));
    Map<Boolean, List<String>> observed = rows.stream().skip(1)
        .collect(Collectors.partitioningBy(row -> row.contains(",gc.alloc.rate.norm,")));
    assertEquals(4 + 3 + 2 + 1, observed.get(true).size());
    assertTrue(observed.get(true).stream().allMatch(row -> row.matches("[1-4],\\d,gc\\.alloc\\.rate\\.norm,[0-9.]+")));
    assertEquals(Arrays.asList("3,1,step.serialise", "3,1,step.deserialise", "3,2,step.serialise",
        "3,2,step.deserialise", "4,1,step.serialise", "4,1,step.deserialise"),
        observed.get(false).stream().map(row -> row.replaceFirst(",[0-9.]+$", "")).collect(Collectors.toList()));
  }

  /** Each fork but cold shots, which need no proof of warm-up, keeps what HotSpot compiled and what is hot in it. */
  private void assertCompilations() throws Exception {
    Path log = directory.resolve("jit/002.log.gz");
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(
        new GZIPInputStream(Files.newInputStream(log)), StandardCharsets.ISO_8859_1))) {
      List<String> kept = lines.lines().collect(Collectors.toList());
      assertTrue(kept.stream().anyMatch(line -> line.matches("\\s*\\d+\\s+\\d+ .* 3 .*::.* bytes\\).*")), "tier 3");
      assertTrue(kept.stream().anyMatch(line -> line.startsWith("<writer thread=")));
    }
    assertFalse(Files.exists(directory.resolve("jit/002.log")), "packed");
    for (String file : Arrays.asList("001.log", "001.log.gz", "001.stacks")) {
      assertFalse(Files.exists(directory.resolve("jit").resolve(file)), file);
    }
    List<String> stacks = Files.readAllLines(directory.resolve("jit/002.stacks"));
    assertTrue(stacks.get(0).matches("benchmark\t.+::.+"), stacks.get(0));
    String benchmark = stacks.get(0).split("\t")[1];
    assertTrue(stacks.size() > 1 && stacks.stream().skip(1).allMatch(
        line -> line.matches("\\d+\t" + Pattern.quote(benchmark) + "(;.+)*")), stacks.toString());
  }

  @Test
  void anExternalBenchmarkHasARowForEachIterationButTheSampledLast() throws Exception {
    Round round = Round.run(directory, Collections.singletonList(
        "1 KeyGeneration.generate" + AVERAGE + " -jvmArgs -Djcarerun.outside=true"));
    assertEquals(0, round.exit, round.err.toString());
    assertEquals(Arrays.asList("1", "2"),
        round.iterations(1).stream().map(row -> row[1]).collect(Collectors.toList()));
    assertTrue(Files.exists(directory.resolve("jit/001.stacks")));
  }

  @Test
  void theFlagsOfEachCpuProfileAreKept() throws Exception {
    String core2 = " -jvmArgs -XX:UseAVX=0 -jvmArgs -Djcarerun.cpu-profile=core2";
    Round round = Round.run(directory, Arrays.asList("1 SelfTest.run" + SHOT + core2, "2 SelfTest.run" + SHOT));
    assertEquals(0, round.exit, round.err.toString());
    assertTrue(round.lines("jvm/flags-core2.txt").stream().anyMatch(line -> line.matches(".* UseAVX +:?= 0 .*")));
    assertFalse(round.lines("jvm/flags-native.txt").stream().anyMatch(line -> line.matches(".* UseAVX +:?= 0 .*")));
    assertTrue(round.lines("jvm/flags-native.txt").stream().anyMatch(line -> line.contains("UseAESIntrinsics")),
        "diagnostic flags too");
  }

  @Test
  void aProfileThatIsNoFileNameIsRefused() throws Exception {
    Round round = Round.run(directory, Collections.singletonList(
        "1 SelfTest.run -jvmArgs -Djcarerun.cpu-profile=../x" + SHOT));
    assertEquals(1, round.exit);
    assertEquals(1, round.err.size(), round.err.toString());
    assertTrue(round.err.get(0).contains("small letters"), round.err.get(0));
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aForksJvmMayBeAScriptOfTheRoundsOwn() throws Exception {
    Path script = Files.createDirectories(directory.resolve("jvm")).resolve("java-core2");
    Files.writeString(script, "#!/bin/sh\nexport JCARERUN_TEST=here\n: > started\nexec java \"$@\"\n");
    assertTrue(script.toFile().setExecutable(true));
    Round round = Round.run(directory, Collections.singletonList("1 SelfTest.run -jvm jvm/java-core2" + SHOT));
    assertEquals(0, round.exit, round.err.toString());
    assertTrue(Files.exists(directory.resolve("started")));
    assertTrue(round.lines("commands.txt").get(0).contains("-jvm jvm/java-core2"), "repeated in the round's directory");
  }

  /** JMH's own numbers for the iterations are in its JSON; ours must be the same. */
  private static void assertDurations(Round round) throws Exception {
    String json = String.join("", round.lines("jmh/002.json"));
    String raw = json.replaceAll(".*\"rawData\" : \\[\\s*\\[([^]]*)].*", "$1");
    List<String[]> rows = round.iterations(2);
    String[] scores = raw.trim().split("\\s*,\\s*");
    assertEquals(rows.size(), scores.length);
    for (int i = 0; i < scores.length; i++) {
      double score = Double.parseDouble(rows.get(i)[5]) / Double.parseDouble(rows.get(i)[6]);
      assertEquals(Double.parseDouble(scores[i]), score, score * 1e-6);
    }
    assertTrue(json.contains("\"-Dx=y\"") && json.contains("\"-Djcarerun.fork=2\""), "both kinds of JVM arguments");
    assertTrue(json.matches(".*\"secondaryMetrics\" : \\{\\s*}.*"), "JMH's JSON stays plain");
  }

  private static void assertIterations(List<String[]> rows, int count, long before) {
    assertEquals(count, rows.size());
    double end = 0;
    for (int i = 0; i < count; i++) {
      String[] row = rows.get(i);
      assertEquals(14, row.length);
      assertEquals(String.valueOf(i + 1), row[1]);
      assertTrue(Long.parseLong(row[2]) >= before && Long.parseLong(row[2]) <= System.currentTimeMillis());
      assertTrue(row[3].matches("\\d+\\.\\d{3}") && row[4].matches("\\d+\\.\\d{3}"), "milliseconds, 3 decimals");
      assertTrue(Double.parseDouble(row[3]) >= end, "an iteration starts after the one before it");
      end = Double.parseDouble(row[4]);
      double lengthNs = 1e6 * (end - Double.parseDouble(row[3]));
      assertTrue(Long.parseLong(row[5]) > 0 && Long.parseLong(row[5]) <= lengthNs + 1000, "duration is in the window");
      assertTrue(Long.parseLong(row[7]) >= Long.parseLong(row[6]));
      assertTrue(Long.parseLong(row[8]) > 0);
      if (Files.isReadable(Path.of("/proc/self/stat"))) {
        assertTrue(Long.parseLong(row[9]) >= 0 && Long.parseLong(row[10]) >= 0);
        assertTrue(Long.parseLong(row[11]) >= 0);
      }
      assertTrue(Long.parseLong(row[12]) >= 0);
    }
  }

  @ParameterizedTest
  @CsvSource({"throw,self-test was told to throw", "exit,VM prematurely exited", "wrong,it was told to be",
    "hang,--fork-timeout"})
  void aForkThatFailsStopsTheRoundWithOneLine(String outcome, String reason) throws Exception {
    Round round = Round.run(directory, Arrays.asList(
        "1 SelfTest.run -p outcome=" + outcome + SHOT, "2 SelfTest.run" + SHOT), "--fork-timeout", "3");
    assertEquals(1, round.exit);
    assertEquals(1, round.err.size(), round.err.toString());
    String line = round.err.get(0);
    assertTrue(line.startsWith("fork 1 (SelfTest.run ") && line.contains("outcome=" + outcome), line);
    assertTrue(line.contains(reason) && line.endsWith("; see jmh/001.txt"), line);
    assertEquals(Collections.singletonList("progress 0 2 0"), round.out);
    assertFalse(Files.exists(directory.resolve("jmh/002.txt")));
  }

  @ParameterizedTest
  @CsvSource({"gc/001.log,gc/001.log was changed after its fork had ended",
      "forks.tsv,forks.tsv was changed after its fork had ended",
      "jvm/version.txt,jvm/version.txt was changed after its fork had ended",
      "jmh/002-pipe,'made jmh/002-pipe, which is no plain file'",
      "jmh/003.txt,'made jmh/003.txt, which is not one of its files'", "iterations.csv,has rows of other forks"})
  void aForkThatReachesForWhatIsNotItsOwnFailsTheRound(String file, String reason) throws Exception {
    String classes = FakeProvider.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    Round round = Round.run(directory, Arrays.asList("1 SelfTest.run" + SHOT, "2 KeyGeneration.generate" + SHOT
        + " -p provider=bad -jvmArgs -Djcarerun.provider.bad=jcarerun.FakeProvider@" + classes
        + " -jvmArgs -Djcarerun.test.fault=tamper:" + file));
    assertEquals(1, round.exit);
    assertEquals(1, round.err.size(), round.err.toString());
    assertTrue(round.err.get(0).startsWith("fork 2 (") && round.err.get(0).contains(reason), round.err.get(0));
    assertEquals(4, round.iterations(1).size(), "what the first fork measured is there as it was");
  }

  @Test
  void aJvmThatDoesNotStartIsReported() throws Exception {
    Round round = Round.run(directory, Collections.singletonList("1 SelfTest.run -jvmArgs -XX:+NoSuchFlag" + SHOT));
    assertEquals(1, round.exit);
    assertEquals(1, round.err.size(), round.err.toString());
    assertTrue(round.err.get(0).contains("NoSuchFlag"), round.err.get(0));
  }

  @Test
  void aDirectoryIsUsedOnce() throws Exception {
    Files.createFile(directory.resolve("iterations.csv"));
    Round round = Round.run(directory, Collections.singletonList("1 SelfTest.run" + SHOT));
    assertEquals(2, round.exit);
    assertEquals(1, round.err.size(), round.err.toString());
    assertTrue(round.err.get(0).contains("iterations.csv"), round.err.get(0));
  }

  @Test
  void aMissingForksFileIsNamed() throws Exception {
    Round round = Round.run(directory, null);
    assertEquals(2, round.exit);
    assertEquals(1, round.err.size(), round.err.toString());
    assertTrue(round.err.get(0).contains("forks.tsv"), round.err.get(0));
  }
}
