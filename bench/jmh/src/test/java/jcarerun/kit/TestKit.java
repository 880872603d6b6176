package jcarerun.kit;

import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A kit in a directory, whose jar stands for the class path of the tests, and its runner in a JVM of its own. */
final class TestKit {
  final Path root;
  int exit;
  String said;

  /** A kit with rounds r-01, r-02, ... of the self-test, each given by its JMH arguments. */
  TestKit(Path root, String... rounds) throws Exception {
    this.root = root;
    StringBuilder plan = new StringBuilder(Kit.PlannedRound.HEADER).append('\n');
    for (int i = 1; i <= rounds.length; i++) {
      String id = "r-0" + i;
      plan.append("selftest\t" + id + "\t1\t3.000\t120\t" + Kit.JAR + "\n");
      write("rounds/selftest/" + id + "/cells.csv", "fork,cell\n1,x\n");
      write("rounds/selftest/" + id + "/gates.tsv", "reruns\t0.2\n");
      write("rounds/selftest/" + id + "/forks.tsv", ("1 SelfTest.run " + rounds[i - 1] + "\n").replace(' ', '\t'));
    }
    write("plan.tsv", plan.toString());
    write("captures.txt", "host\t/proc/cpuinfo\tmodel name\nhost\t/sys/devices/system/cpu/cpu[0-9]*/uevent\t\n"
        + "moment\t/proc/stat\t\nhost\t/no/such/file\t\n");
    jar(root.resolve(Kit.JAR));
    KitFiles.writeManifest(root);
    Files.move(root.resolve(KitFiles.MANIFEST), root.resolve("kit.sha256"));
  }

  private void write(String name, String text) throws Exception {
    Files.createDirectories(root.resolve(name).getParent());
    Files.writeString(root.resolve(name), text);
  }

  private static void jar(Path target) throws Exception {
    java.util.jar.Manifest manifest = new java.util.jar.Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH,
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(path -> new File(path).getAbsoluteFile().toURI().toString()).collect(Collectors.joining(" ")));
    try (OutputStream out = Files.newOutputStream(target)) {
      new JarOutputStream(out, manifest).close();
    }
  }

  /** Starts the runner. */
  Process start(String... args) throws Exception {
    List<String> command = new ArrayList<>(Arrays.asList(System.getProperty("java.home") + "/bin/java",
        "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", Kit.JAR, KitMain.class.getName()));
    command.addAll(Arrays.asList(args));
    return new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true)
        .redirectOutput(new File(root.toFile(), "said")).start();
  }

  /** Runs it to its end. */
  TestKit run(String... args) throws Exception {
    Process process = start(args);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the kit hangs");
    }
    exit = process.exitValue();
    said = Files.readString(root.resolve("said"), StandardCharsets.ISO_8859_1);
    return this;
  }

  /** The rounds that are whole. */
  List<Path> results() throws Exception {
    if (!Files.isDirectory(root.resolve("results"))) {
      return new ArrayList<>();
    }
    try (Stream<Path> paths = Files.walk(root.resolve("results"))) {
      return paths.filter(path -> path.endsWith(KitFiles.MANIFEST)).map(Path::getParent).sorted()
          .collect(Collectors.toList());
    }
  }

  /** Rounds in work. */
  List<Path> inWork() throws Exception {
    try (Stream<Path> paths = Files.list(root)) {
      return paths.filter(path -> path.getFileName().toString().startsWith(KitFiles.WORK)).collect(Collectors.toList());
    }
  }
}
