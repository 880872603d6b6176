package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Processes that a fork leaves behind. */
class LeftoversTest {
  @TempDir
  Path proc;

  private void process(int id, String state, int parent) throws Exception {
    Files.createDirectories(proc.resolve(String.valueOf(id)));
    Files.writeString(proc.resolve(id + "/stat"), id + " (a b) c) " + state + " " + parent + " 1 1 0");
  }

  private Set<Integer> found(int self) throws Exception {
    return new TreeSet<>(Leftovers.find(proc, self));
  }

  @Test
  void inAContainerOfItsOwnEveryOtherProcessIsLeftBehind() throws Exception {
    process(1, "S", 0);
    process(20, "S", 1);
    process(21, "Z", 1);
    assertEquals(Set.of(20), found(1), "one that has ended waits for its parent");
  }

  @Test
  void elsewhereThoseThatDescendFromTheRunnerAre() throws Exception {
    process(1, "S", 0);
    process(10, "S", 1);
    process(11, "S", 10);
    process(12, "R", 11);
    process(30, "S", 1);
    assertEquals(Set.of(11, 12), found(10));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theyAreEnded() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    int self = (int) ProcessHandle.current().pid();
    assertTrue(Leftovers.find(Path.of("/proc"), self).contains((int) process.pid()));
    Leftovers.end();
    assertTrue(process.waitFor(10, TimeUnit.SECONDS));
    assertFalse(process.isAlive());
  }
}
