package jcarerun;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which package may use which. All may use {@code jcarerun} itself, which uses none of them. */
class PackagesTest {
  private static final Path SOURCES = Path.of("src/main/java/jcarerun");
  private static final Pattern USED = Pattern.compile("\\bjcarerun\\.([a-z]+)\\.[A-Z]");

  private static final Map<String, Set<String>> MAY_USE = Map.of(
      "adapter", Set.of(),
      "probe", Set.of(),
      "tls", Set.of("probe"),
      "workload", Set.of("probe", "tls"),
      "round", Set.of("probe"),
      "kit", Set.of("round"));

  @Test
  void noPackageUsesOneThatItMayNot() throws Exception {
    Set<String> wrong = new TreeSet<>();
    Set<String> packages = new TreeSet<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : (Iterable<Path>) files.filter(path -> path.toString().endsWith(".java"))::iterator) {
        Path folder = SOURCES.relativize(file).getParent();
        String own = folder == null ? "" : folder.toString();
        packages.add(own);
        Matcher used = USED.matcher(Files.readString(file));
        while (used.find()) {
          if (!used.group(1).equals(own) && !MAY_USE.getOrDefault(own, Set.of()).contains(used.group(1))) {
            wrong.add(SOURCES.relativize(file) + " uses " + used.group());
          }
        }
      }
    }
    assertEquals(Set.of(), wrong);
    packages.remove("");
    assertEquals(MAY_USE.keySet(), packages, "every package has its line above, and no other");
  }
}
