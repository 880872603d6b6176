package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What holds for every workload. */
class WorkloadTest {
  @Test
  void everyBenchmarkIsAWorkload() throws Exception {
    Set<BenchmarkListEntry> all = BenchmarkList.defaultList().getAll(
        OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT), Collections.emptyList());
    assertFalse(all.isEmpty());
    for (BenchmarkListEntry benchmark : all) {
      // Else its set-up isn't checked, and its CPU time isn't known.
      Class<?> type = Class.forName(benchmark.getUserClassQName());
      assertTrue(Workload.class.isAssignableFrom(type), type.getName());
    }
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
