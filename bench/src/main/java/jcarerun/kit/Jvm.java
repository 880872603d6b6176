package jcarerun.kit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The JVM that runs the kit, and so every round; and what it and the kernel said of a round's forks. */
final class Jvm {
  private static final Pattern FLAG = Pattern.compile("^\\s*\\w+\\s+(\\w+)\\s+:?=\\s*(\\S*).*");
  private static final Pattern INTRINSIC = Pattern.compile("Use\\w+Intrinsics?|Use(AES|SHA|CLMUL|SSE|AVX)");

  private Jvm() {}

  /** Stands for the JVM as an image's id stands for an image: the digest of what it says of its version. */
  static String imageId(Path round) throws IOException {
    return "kit:" + Manifest.sha256(Folders.lines(round.resolve("jvm/version.txt")).stream().map(String::trim)
        .filter(line -> !line.contains("warning:")).collect(Collectors.joining("\n")));
  }

  static Map<String, Object> record() {
    Map<String, Object> record = new LinkedHashMap<>();
    String version = System.getProperty("java.runtime.version");
    record.put("id", version);
    record.put("label", System.getProperty("java.vendor") + ' ' + version);
    record.put("java", release(System.getProperty("java.specification.version")));
    return record;
  }

  /** 8 of 1.8, 17 of 17. */
  static int release(String specification) {
    return Integer.parseInt(specification.replaceFirst("^1\\.", ""));
  }

  /** CPU profile to those of its JVM's flags that say which intrinsics it uses. */
  static Map<String, Object> intrinsics(Path round) throws IOException {
    Map<String, Object> used = new TreeMap<>();
    for (String name : Manifest.files(round.resolve("jvm"))) {
      if (name.startsWith("flags-")) {
        Map<String, String> flags = new TreeMap<>();
        for (String line : Folders.lines(round.resolve("jvm").resolve(name))) {
          Matcher flag = FLAG.matcher(line);
          if (flag.matches() && INTRINSIC.matcher(flag.group(1)).matches()) {
            flags.put(flag.group(1), flag.group(2));
          }
        }
        used.put(name.substring("flags-".length(), name.length() - ".txt".length()), flags);
      }
    }
    return used;
  }

  /** Nothing was asked of a container, and so nothing enforced; what the kernel said is kept. */
  static Map<String, Object> limits(Path round) throws IOException {
    Map<String, Object> inside = new LinkedHashMap<>();
    for (String line : Folders.lines(round.resolve("limits.txt"))) {
      String[] parts = line.split(": ", 2);
      inside.put(parts[0], parts.length < 2 || parts[1].equals("not exposed") ? null : parts[1]);
    }
    Map<String, Object> limits = new LinkedHashMap<>();
    limits.put("asked", null);
    limits.put("inside", inside);
    limits.put("enforced", null);
    return limits;
  }
}
