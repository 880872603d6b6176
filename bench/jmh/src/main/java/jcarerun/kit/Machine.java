package jcarerun.kit;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import jcarerun.Sha256;
import jcarerun.Wine;

/** Which machine this is: a number for it, and what its JVM, files and programs tell of it; null is what they don't. */
final class Machine {
  private static final String REGISTRY_CPU = "HKLM\\HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
  private static final String REGISTRY_ID = "HKLM\\SOFTWARE\\Microsoft\\Cryptography";
  private static final String[] PROPERTIES = {
    "os.name", "os.version", "os.arch", "java.vendor", "java.runtime.version", "java.specification.version"
  };
  private static final int PATIENCE_SECONDS = 10;
  private static final String[] MARKS = {"/.dockerenv", "/run/.containerenv", "/sys/fs/cgroup/cgroup.controllers"};

  final String platform = platform(System.getProperty("os.name"));
  final String id;
  /** Its name among the environments. */
  final String environment;
  private final String cpu;

  /**
   * Looks at the machine; a number for one that has none of its own is kept in the kit's directory.
   *
   * @param capture whose lines of /proc/cpuinfo tell CPUs apart to which a hypervisor gives one name
   */
  Machine(Path root, Capture capture) throws IOException {
    cpu = cpuModel();
    String generation = capture.text("/proc/cpuinfo") + System.getenv("PROCESSOR_IDENTIFIER");
    String os = System.getProperty("os.name");
    String same = sameMachine(root);
    id = same != null ? same : Sha256.of(String.join("\n",
        Arrays.asList("kit", os, String.valueOf(cpu), generation, installation(root)))).substring(0, 12);
    environment = "kit-" + id;
  }

  /** The id by which the same computer was measured under another system, if {@code same-machine.txt} has one. */
  private static String sameMachine(Path root) throws IOException {
    Path file = root.resolve("same-machine.txt");
    if (!Files.exists(file)) {
      return null;
    }
    String id = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).trim();
    if (!id.matches("[0-9a-f]{12}")) {
      throw new KitError(file + ": is not a machine id; write the 12 hex digits from the report, or remove the file");
    }
    return id;
  }

  static String platform(String os) {
    String name = os.toLowerCase(Locale.ROOT);
    return name.startsWith("windows") ? "windows" : name.startsWith("mac") ? "macos"
        : name.startsWith("linux") ? "linux" : "other";
  }

  /** The id that the system was given when it was installed, else one of our own. It leaves here only hashed. */
  private String installation(Path root) throws IOException {
    String own = platform.equals("windows") ? registryValue(REGISTRY_ID, "MachineGuid")
        : platform.equals("macos")
            ? field(programOutput("ioreg", "-rd1", "-c", "IOPlatformExpertDevice"), "\"IOPlatformUUID\"", '=')
        : fileText("/etc/machine-id");
    if (own != null) {
      return own;
    }
    Path file = root.resolve("machine.txt");
    if (!Files.exists(file)) {
      Files.write(file, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
    }
    return fileText(file.toString());
  }

  private String cpuModel() {
    switch (platform) {
      case "windows":
        String name = registryValue(REGISTRY_CPU, "ProcessorNameString");
        return name == null ? System.getenv("PROCESSOR_IDENTIFIER") : name;
      case "macos":
        return programOutput("sysctl", "-n", "machdep.cpu.brand_string");
      default:
        return field(fileText("/proc/cpuinfo"), "model name", ':');
    }
  }

  /** What does not change while a round runs, as its source tells it. */
  Map<String, Object> host() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("machine_id", id);
    facts.put("platform", platform);
    facts.put("wine", Wine.isRunning());
    facts.put("cpu_model", cpu);
    facts.put("cpus", Runtime.getRuntime().availableProcessors());
    for (String property : PROPERTIES) {
      facts.put(property, System.getProperty(property));
    }
    for (String mark : MARKS) {
      facts.put("exists " + mark, new File(mark).exists());
    }
    if (platform.equals("macos")) {
      facts.put("sysctl machdep.cpu.features", programOutput("sysctl", "-n", "machdep.cpu.features"));
    }
    beans(facts, "TotalPhysicalMemorySize", "TotalSwapSpaceSize");
    return facts;
  }

  /** How busy the machine is now, as the JVM's bean tells it; it counts memory in bytes, and load as a share. */
  static Map<String, Object> moment() {
    Map<String, Object> facts = new LinkedHashMap<>();
    beans(facts, "SystemLoadAverage", "SystemCpuLoad", "FreePhysicalMemorySize");
    return facts;
  }

  private static void beans(Map<String, Object> facts, String... attributes) {
    for (String attribute : attributes) {
      facts.put("bean " + attribute, beanNumber(attribute));
    }
  }

  /** A small text file's content. */
  static String fileText(String path) {
    try {
      return orNull(new String(Files.readAllBytes(Paths.get(path)), StandardCharsets.UTF_8));
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** The value behind the first line that starts with a key and a separator. */
  static String field(String text, String key, char separator) {
    for (String line : text == null ? new String[0] : text.split("\n")) {
      int at = line.indexOf(separator);
      if (at >= 0 && line.substring(0, at).trim().equals(key)) {
        return orNull(line.substring(at + 1));
      }
    }
    return null;
  }

  /** What a program prints; its streams are a file's, so that one that hangs can be left behind. */
  static String programOutput(String... command) {
    try {
      File output = File.createTempFile("jcarerun", ".txt");
      try {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          return null;
        }
        return process.exitValue() != 0 ? null
            : orNull(new String(Files.readAllBytes(output.toPath()), StandardCharsets.ISO_8859_1));
      } finally {
        Files.deleteIfExists(output.toPath());
      }
    } catch (IOException | RuntimeException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** A value of Windows' registry. */
  private static String registryValue(String key, String value) {
    String said = programOutput("reg", "query", key, "/v", value);
    for (String line : said == null ? new String[0] : said.split("\n")) {
      String[] parts = line.trim().split("\\s+REG_SZ\\s+", 2);
      if (parts.length == 2 && parts[0].equals(value)) {
        return orNull(parts[1]);
      }
    }
    return null;
  }

  /** An attribute of the JVM's bean for the operating system; JVMs differ in which they have. */
  static Number beanNumber(String attribute) {
    try {
      Object value = ManagementFactory.getPlatformMBeanServer()
          .getAttribute(new ObjectName("java.lang:type=OperatingSystem"), attribute);
      return value instanceof Number && ((Number) value).doubleValue() >= 0 ? (Number) value : null;
    } catch (JMException | RuntimeException e) {
      return null;
    }
  }

  private static String orNull(String text) {
    String trimmed = text.trim();
    return trimmed.isEmpty() ? null : trimmed;
  }
}
