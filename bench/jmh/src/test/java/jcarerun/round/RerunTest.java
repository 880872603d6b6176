package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds whose gates no fork can pass, or any can. */
class RerunTest {
  private static final String SHOT = " -f 1 -wi 0 -i 2 -bm ss";
  private static final List<String> THREE = Arrays.asList(
      "1 SelfTest.run" + SHOT, "2 KeyGeneration.generate" + SHOT, "3 SelfTest.run" + SHOT);

  @TempDir
  Path directory;

  private Round run(String gates) throws Exception {
    Files.writeString(directory.resolve("gates.tsv"), gates);
    Round round = Round.run(directory, THREE, "--fork-timeout", "60");
    assertEquals(0, round.exit, round.err.toString());
    return round;
  }

  @Test
  void disturbedForksAreRunAgainUpToTheCapAndNotAThirdTime() throws Exception {
    // A loop that is never slower than itself has the ratio 1, so that every fork breaks this.
    Round round = run("spin_ratio\t0\t0\nreruns\t0.5\n");
    assertEquals(Arrays.asList("1", "2", "3", "4", "5"), round.interference("fork"));
    assertEquals(Collections.nCopies(5, "spin_ratio"), round.interference("broken"));
    assertEquals(Arrays.asList("4", "5", "", "", ""), round.interference("rerun_as"), "half of three, rounded up");
    assertEquals(Arrays.asList("", "", "", "1", "2"), round.interference("rerun_of"));
    assertEquals(2, round.iterations(4).size());
    assertTrue(String.join("", round.lines("jmh/005.json")).contains("KeyGeneration.generate"), "of the same cell");
    assertTrue(Files.size(directory.resolve("gc/005.log")) > 0);
    List<String> commands = round.lines("commands.txt");
    assertEquals(5, commands.size());
    assertEquals(commands.get(1).replace("002", "005").replace("fork=2", "fork=5"), commands.get(4));
    assertEquals(Arrays.asList("progress 0 3 0", "progress 1 3 1", "progress 2 3 2", "progress 3 3 3",
        "fork 1 broke spin_ratio: is run again as fork 4", "fork 2 broke spin_ratio: is run again as fork 5",
        "fork 3 broke spin_ratio: not run again", "progress 4 5 4", "progress 5 5 5",
        "fork 4 broke spin_ratio: not run again", "fork 5 broke spin_ratio: not run again"), round.out);
    assertFalse(Files.exists(directory.resolve("jmh/006.json")));
  }

  @Test
  void undisturbedForksAreNot() throws Exception {
    Round round = run("spin_ratio\t1e9\t0\ngc_share\t1e9\t0\nreruns\t1\n");
    assertEquals(Arrays.asList("", "", ""), round.interference("broken"));
    assertEquals(Arrays.asList("", "", ""), round.interference("rerun_as"));
    for (String column : Arrays.asList("elapsed_ms", "window_ms", "spin_before_ns", "spin_after_ns",
        "spin_reference_ns")) {
      assertTrue(round.interference(column).stream().allMatch(value -> Double.parseDouble(value) > 0), column);
    }
    List<String> before = round.interference("spin_before_ns");
    List<String> after = round.interference("spin_after_ns");
    assertEquals(after.subList(0, 2), before.subList(1, 3), "one calibration stands between two forks");
    long reference = Long.parseLong(round.interference("spin_reference_ns").get(0));
    assertTrue(after.stream().allMatch(value -> Long.parseLong(value) >= reference), "the round's best");
    if (Files.isReadable(Path.of("/proc/stat"))) {
      assertTrue(round.interference("cpu_ms").stream().allMatch(value -> Long.parseLong(value) > 0));
      assertTrue(round.interference("steal_ms").stream().allMatch(value -> Long.parseLong(value) >= 0));
    }
  }

  @Test
  void gatesThatAreNoneAreRefused() throws Exception {
    Files.writeString(directory.resolve("gates.tsv"), "stolen_share\t0\t0\nreruns\t1\n");
    Round round = Round.run(directory, THREE);
    assertEquals(2, round.exit);
    assertEquals(1, round.err.size(), round.err.toString());
    assertTrue(round.err.get(0).startsWith("gates.tsv, line 1: must be a gate of [steal_share, "), round.err.get(0));
  }
}
