package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jcarerun.probe.CodeList;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** What holds for every workload, and its warm-up: a twin with a small input takes most of the calls, itself some. */
class WorkloadTest {
  private static final List<Integer> SIZES = new ArrayList<>();
  private static int discarded;

  /** Notes the size of each call. */
  public static class Sized extends Workload {
    /** Size of the input. */
    @Param("1000")
    public int bytes = 1000;
    /** Whether a call fails. */
    @Param("false")
    public boolean failing;
    /** The least size that it takes. */
    @Param("0")
    public int least;

    @Override
    protected String subject() {
      return "noting sizes";
    }

    @Override
    protected void prepare() throws GeneralSecurityException {
      closing(() -> discarded++);
      if (bytes < least) {
        throw new InvalidAlgorithmParameterException("too small");
      }
    }

    @Override
    protected void verify(Check check) {}

    @Override
    protected void shrink() {
      bytes = 10;
    }

    /** The operation. */
    @Benchmark
    public int run() {
      if (failing) {
        throw new IllegalStateException("told to fail");
      }
      for (long until = System.nanoTime() + 20_000; System.nanoTime() < until;) {
        Thread.yield();
      }
      SIZES.add(bytes);
      return bytes;
    }
  }

  private static Sized sized() {
    Sized workload = new Sized();
    workload.operation = "run";
    return workload;
  }

  @Test
  void everyBenchmarkIsOfAWorkloadAndItsMethodKeepsCodeOfItsOwn() throws Exception {
    List<String> hints = lines("/META-INF/CompilerHints");
    List<String> benchmarks = lines("/META-INF/BenchmarkList");
    assertFalse(benchmarks.isEmpty());
    for (String entry : benchmarks) {
      Matcher named = Pattern.compile("(jcarerun\\.workload\\.\\w+) S \\d+ \\S+ S \\d+ (\\w+) ").matcher(entry);
      assertTrue(named.find(), entry);
      // Else its set-up isn't checked, and its CPU time isn't known.
      Class<? extends Workload> type = Class.forName(named.group(1)).asSubclass(Workload.class);
      Class<?> declaring = type.getMethod(named.group(2)).getDeclaringClass();
      String method = declaring.getName().replace('.', '/') + "." + named.group(2);
      assertTrue(hints.contains("dontinline," + method), method);
      assertFalse(hints.contains("inline," + method), method);
    }
  }

  private static List<String> lines(String resource) throws IOException {
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(
        Workload.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      return reader.lines().collect(Collectors.toList());
    }
  }

  @Test
  void smallCallsAreManyAndTheWorkloadsOwnAreSome() throws Exception {
    SIZES.clear();
    discarded = 0;
    Sized workload = sized();
    int calls = new WarmUp(workload).run(400, 60_000);
    assertTrue(calls >= 400, "and more until it is compiled");
    long own = SIZES.stream().filter(size -> size == 1000).count();
    assertTrue(own >= 1 && own < calls, own + " of " + calls + " calls are the workload's own");
    assertEquals(calls, SIZES.size());
    assertTrue(CodeList.now().has(Sized.class.getName() + "::run"));
    assertEquals(1000, workload.bytes, "the workload's own input stays");
    assertEquals(1, discarded, "the twin is cleaned up, the workload is not");
  }

  @Test
  void theLastCallIsTheWorkloadsOwnAfterManySmallOnes() throws Exception {
    SIZES.clear();
    new WarmUp(sized()).run(400, 60_000);
    int last = SIZES.size() - 1;
    assertEquals(1000, SIZES.get(last), "a call that would show what the small ones let HotSpot leave out");
    assertEquals(Set.of(10), new HashSet<>(SIZES.subList(last - 5000, last)));
  }

  @Test
  void whereSmallInputIsRefusedAllCallsAreTheWorkloadsOwn() throws Exception {
    SIZES.clear();
    Sized workload = sized();
    workload.least = 100;
    assertTrue(new WarmUp(workload).run(400, 60_000) >= 400);
    assertEquals(Set.of(1000), new HashSet<>(SIZES));
  }

  @Test
  void whatLivesIsBroughtToTheOldGeneration() throws Exception {
    long before = collectionsOfEverything();
    new WarmUp(sized()).run(400, 60_000);
    assertTrue(collectionsOfEverything() > before);
  }

  private static long collectionsOfEverything() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(each -> !each.getName().contains("Young"))
        .filter(each -> Arrays.stream(each.getMemoryPoolNames()).anyMatch(name -> name.matches(".*(Old|Tenured).*")))
        .mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
  }

  @Test
  void timeBoundsThemToo() throws Exception {
    assertTrue(new WarmUp(sized()).run(Integer.MAX_VALUE, 500) > 0, "and it has ended");
  }

  @Test
  void aCallThatFailsSaysWhy() throws Exception {
    Sized workload = sized();
    workload.failing = true;
    WarmUp warmUp = new WarmUp(workload);
    IllegalStateException failure = assertThrows(IllegalStateException.class, () -> warmUp.run(1, 1000));
    assertTrue(failure.getMessage().contains("told to fail"));
  }

  @Test
  void contentsAreTheSameEveryTimeAndWhatTheySay() {
    assertEquals(new String(Contents.make("random", 100), StandardCharsets.ISO_8859_1),
        new String(Contents.make("random", 100), StandardCharsets.ISO_8859_1));
    String text = new String(Contents.make("text", 10_000), StandardCharsets.US_ASCII);
    assertEquals(10_000, text.length());
    assertTrue(text.matches("[a-z .\\n]+"), text);
  }
}
