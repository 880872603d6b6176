package jcarerun.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples of an operation, from the benchmark method inwards. */
class HotStacksTest {
  private static final String BENCHMARK = HotStacksTest.class.getName() + "::benchmark";

  @TempDir
  Path directory;

  private static StackTraceElement at(String method) {
    return new StackTraceElement("a.B", method, null, 1);
  }

  @Test
  void aStackIsCutAtTheBenchmarkMethod() {
    StackTraceElement[] stack = {at("inner"), at("outer"), at("benchmark"), at("reflected"), at("main")};
    assertEquals("a.B::benchmark;a.B::outer;a.B::inner", HotStacks.inside(stack, "a.B::benchmark"));
    assertNull(HotStacks.inside(stack, "a.B::another"));
  }

  /** Waits in a method of its own. */
  private static void waiting() {
    try {
      Thread.sleep(3);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void benchmark() {
    waiting();
  }

  @Test
  void whatAnOperationIsInIsWrittenDown() throws Exception {
    Path file = directory.resolve("001.stacks");
    List<String> lines;
    do {
      // A machine that is busy enough lets no sampler run in the time there is.
      HotStacks.write(file, BENCHMARK, HotStacksTest::benchmark);
      lines = Files.readAllLines(file);
    } while (lines.size() == 1);
    assertEquals("benchmark\t" + BENCHMARK, lines.get(0));
    String waiting = "\\d+\\t" + BENCHMARK + ";" + HotStacksTest.class.getName() + "::waiting;.*sleep.*";
    assertTrue(lines.stream().anyMatch(line -> line.matches(waiting)), String.join("\n", lines));
  }

  @Test
  void whatIsNeverStoppedInsideIsOnePieceOfTheBenchmarksCode() throws Exception {
    Path file = directory.resolve("003.stacks");
    List<String> lines;
    do {
      HotStacks.write(file, BENCHMARK, HotStacksTest::waiting);
      lines = Files.readAllLines(file);
    } while (lines.size() == 1);
    assertEquals(2, lines.size());
    assertTrue(lines.get(1).matches("\\d+\\t" + Pattern.quote(BENCHMARK)), lines.get(1));
  }

  /** What JMH would make around two methods. */
  private static final class Made {
    static volatile boolean stopped;

    static void firstjmhStub() {
      while (!stopped) {
        waiting();
      }
    }

    static void secondjmhStub() {
      while (!stopped) {
        waiting();
      }
    }
  }

  private Path sampled(Runnable... stubs) throws Exception {
    Path file = directory.resolve("002.stacks");
    Made.stopped = false;
    List<Thread> threads = new ArrayList<>();
    for (Runnable stub : stubs) {
      threads.add(new Thread(stub));
    }
    threads.forEach(Thread::start);
    HotStacks stacks = HotStacks.ofStubs();
    Thread.sleep(500);
    stacks.write(file);
    Made.stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return file;
  }

  @Test
  void somebodyElsesBenchmarkIsFollowedFromTheMethodThatJmhMadeAroundIt() throws Exception {
    List<String> lines;
    do {
      Path file = sampled(Made::firstjmhStub, Made::firstjmhStub);
      lines = Files.exists(file) ? Files.readAllLines(file) : Collections.emptyList();
    } while (lines.isEmpty());
    String stub = Made.class.getName() + "::firstjmhStub";
    String path = stub + ";" + HotStacksTest.class.getName() + "::waiting";
    assertEquals("benchmark\t" + stub, lines.get(0));
    assertTrue(lines.stream().anyMatch(line -> line.contains(path)));
  }

  @Test
  void theMethodsOfAGroupHaveNoChainInCommon() throws Exception {
    assertFalse(Files.exists(sampled(Made::firstjmhStub, Made::secondjmhStub)));
  }
}
