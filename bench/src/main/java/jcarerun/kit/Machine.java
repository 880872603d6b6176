package jcarerun.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import jcarerun.Wine;

/** Which machine this is: a number for it, its system in words, and what must be said of it. */
final class Machine {
  private static final String REGISTRY_CPU = "HKLM\\HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
  private static final String REGISTRY_ID = "HKLM\\SOFTWARE\\Microsoft\\Cryptography";

  final String platform;
  /** The system in words, for people. */
  final String system;
  /** What must be said beside every result from here; null if nothing must. */
  final String caveat;
  final String id;
  private final Map<String, Object> facts;

  /** Looks at the machine; a number for one that has none of its own is kept in the kit's directory. */
  Machine(Path root) throws IOException {
    String os = System.getProperty("os.name");
    platform = platform(os);
    boolean wine = Wine.isRunning();
    caveat = wine ? "Windows' build of the JVM on Wine, not Windows itself" : null;
    String linux = platform.equals("linux") ? Ask.field(Ask.file("/etc/os-release"), "PRETTY_NAME", '=') : null;
    system = linux != null ? linux.replace("\"", "")
        : wine ? os + " on Wine" : os + " (" + System.getProperty("os.version") + ')';
    String cpu = cpuModel();
    id = Manifest.sha256(String.join("\n", Arrays.asList("kit", os, String.valueOf(cpu), installation(root))))
        .substring(0, 12);
    facts = Facts.read(platform, id, cpu);
  }

  static String platform(String os) {
    String name = os.toLowerCase(Locale.ROOT);
    return name.startsWith("windows") ? "windows" : name.startsWith("mac") ? "macos"
        : name.startsWith("linux") ? "linux" : "other";
  }

  /** The id that the system was given when it was installed, else one of our own. It leaves here only hashed. */
  private String installation(Path root) throws IOException {
    String own = platform.equals("windows") ? Ask.registry(REGISTRY_ID, "MachineGuid")
        : platform.equals("macos")
            ? Ask.field(Ask.program("ioreg", "-rd1", "-c", "IOPlatformExpertDevice"), "\"IOPlatformUUID\"", '=')
        : Ask.file("/etc/machine-id");
    if (own != null) {
      return own;
    }
    Path file = root.resolve("machine.txt");
    if (!Files.exists(file)) {
      Files.write(file, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
    }
    return Ask.file(file.toString());
  }

  private String cpuModel() {
    switch (platform) {
      case "windows":
        String name = Ask.registry(REGISTRY_CPU, "ProcessorNameString");
        return name == null ? System.getenv("PROCESSOR_IDENTIFIER") : name;
      case "macos":
        return Ask.program("sysctl", "-n", "machdep.cpu.brand_string");
      default:
        return Ask.field(Ask.file("/proc/cpuinfo"), "model name", ':');
    }
  }

  /** The facts by name: those that are wanted, null where Java doesn't know them, and the others that it knows. */
  Map<String, Object> facts(List<String> wanted) {
    Map<String, Object> all = new LinkedHashMap<>();
    wanted.forEach(name -> all.put(name, facts.get(name)));
    facts.forEach(all::putIfAbsent);
    return all;
  }
}
