package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jcarerun.probe.ProbedWorkload.NativeOperation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A native program is asked what it offers and run as a fork. The program here is a script that answers as they do. */
class NativeForkTest {
  private static final String DIGEST = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

  @TempDir
  Path directory;

  private Path program;
  private final List<String> forks = new ArrayList<>();

  @BeforeEach
  void write() throws Exception {
    program = directory.resolve("program");
    Files.writeString(program, String.join("\n",
        "#!/bin/sh",
        "all=\"$*\"",
        "while [ $# -gt 0 ]; do",
        "  case $1 in",
        "    --algorithm) algorithm=$2;; --fork) fork=$2;; --rows) rows=$2;; --json) json=$2;;",
        "    --iterations) iterations=$2;; --check) check=1;; --digest) digest=1;;",
        "  esac",
        "  shift",
        "done",
        "echo \"$VARIABLE $all\" >> asked.txt",
        "case $algorithm in",
        "  MD5) echo 'error: not the published answer' >&2; exit 1;;",
        "  Tiger) echo 'not offered: Tiger' >&2; exit 3;;",
        "  SHA-512) [ -z \"$fork\" ] || { echo 'error: the library failed: out of luck' >&2; exit 1; };;",
        "  SHA-384) [ -z \"$fork\" ] || sleep 60;;",
        "esac",
        "[ -z \"$check\" ] || exit 0",
        "[ -z \"$digest\" ] || { echo " + DIGEST + "; exit 0; }",
        "for i in $(seq $iterations); do echo \"$fork,$i,1,1.5,2.5,1000,1,1,1,1,1,0,0\" >> $rows; done",
        "echo '[]' > $json", ""));
    assertTrue(program.toFile().setExecutable(true));
  }

  private void fork(String algorithm, String... more) {
    forks.add((forks.size() + 1) + " ^jcarerun\\.workload\\.Digest\\.digest$ -bm avgt -f 1 -wi 0 -i 3 -r 10ms "
        + "-p algorithm=" + algorithm + " -p bytes=1000 -p provider=lib -jvmArgs -Djcarerun.provider.lib=native:"
        + program + String.join("", Arrays.stream(more).map(word -> ' ' + word).toArray(String[]::new)));
  }

  @Test
  void itIsAskedAndThenRun() throws Exception {
    fork("SHA-256");
    fork("MD5");
    fork("Tiger");
    Round round = Round.run(directory, forks);
    assertEquals(0, round.exit, round.err.toString());
    List<String> rows = round.lines("offered.csv");
    assertEquals("1,yes,\"\"," + DIGEST, rows.get(1));
    assertEquals("2,wrong,\"error: not the published answer\",", rows.get(2));
    assertEquals("3,no,\"not offered: Tiger\",", rows.get(3));
    assertEquals(3, round.iterations(1).size());
    assertEquals(4, round.lines("iterations.csv").size());
    assertFalse(Files.exists(directory.resolve("gc/001.log")));
    assertTrue(round.lines("asked.txt").contains(" --operation digest --algorithm SHA-256 --bytes 1000 --check"));
    String command = round.lines("commands.txt").get(0);
    assertEquals("mkdir -p jmh gc jit && " + program + " --operation digest --algorithm SHA-256 --bytes 1000 "
        + "--benchmark jcarerun.workload.Digest.digest --bench-mode avgt --iterations 3 --fork 1 --rows iterations.csv "
        + "--json jmh/001.json --iteration-ms 10 # fork 001", command);
  }

  @Test
  void aCpuProfilesScriptStartsIt() throws Exception {
    Path script = directory.resolve("script");
    Files.writeString(script, "#!/bin/sh\nexport VARIABLE=hidden\nexec \"${JCARERUN_PROGRAM:-java}\" \"$@\"\n");
    assertTrue(script.toFile().setExecutable(true));
    fork("SHA-256", "-jvm", script.toString());
    Round round = Round.run(directory, forks);
    assertEquals(0, round.exit, round.err.toString());
    assertTrue(round.lines("asked.txt").stream().allMatch(line -> line.startsWith("hidden --operation")));
    assertTrue(round.lines("commands.txt").get(0).contains("&& env JCARERUN_PROGRAM=" + program + ' ' + script));
  }

  @Test
  void aProgramThatIsNotThereOffersNothing() throws Exception {
    fork("SHA-256");
    Files.delete(program);
    Round round = Round.run(directory, forks);
    assertEquals(0, round.exit, round.err.toString());
    assertEquals("1,no,\"there is no program " + program + " here\",", round.lines("offered.csv").get(1));
  }

  @Test
  void oneThatFailsFailsItsRound() throws Exception {
    fork("SHA-512");
    Round round = Round.run(directory, forks);
    assertEquals(1, round.exit);
    assertTrue(round.err.get(0).contains("status 1: error: the library failed: out of luck"), round.err.toString());
  }

  @Test
  void oneThatHangsIsEndedAndNamed() throws Exception {
    fork("SHA-384");
    Round round = Round.run(directory, forks, "--fork-timeout", "2");
    assertEquals(1, round.exit);
    assertTrue(round.err.get(0).contains("did not end within 2 s"), round.err.toString());
  }

  private static List<Class<?>> workloads() throws Exception {
    List<Class<?>> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("src/main/java/jcarerun/workload"))) {
      for (Path file : files.collect(Collectors.toList())) {
        String name = file.getFileName().toString().replace(".java", "");
        if (!name.equals("package-info")) {
          found.add(Class.forName("jcarerun.workload." + name));
        }
      }
    }
    return found;
  }

  private static List<NativeOperation> operations(Class<?> workload) {
    List<NativeOperation> found = new ArrayList<>();
    for (Method method : workload.getMethods()) {
      if (method.isAnnotationPresent(NativeOperation.class)) {
        found.add(method.getAnnotation(NativeOperation.class));
      }
    }
    return found;
  }

  @Test
  void everyOperationIsOneOfThePrograms() throws Exception {
    String options = Files.readString(Path.of("../native/src/options.cpp"));
    String listed = options.replaceFirst("(?s).*?OPERATIONS = \\{(.*?)\\};.*", "$1");
    TreeSet<String> programs = new TreeSet<>(List.of(listed.replaceAll("[\\s\"]", "").split(",")));
    TreeSet<String> workloads = new TreeSet<>();
    for (Class<?> workload : workloads()) {
      operations(workload).forEach(its -> workloads.add(its.value()));
    }
    assertEquals(programs, workloads);
  }

  @Test
  void oneOperationOfAWorkloadAnswersForIt() throws Exception {
    for (Class<?> workload : workloads()) {
      List<NativeOperation> its = operations(workload);
      assertTrue(its.isEmpty() || its.stream().filter(NativeOperation::answers).count() == 1, workload.getName());
    }
  }
}
