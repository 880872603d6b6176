package jcarerun.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Keeps what the system says of itself, for the pipeline to read: copies of files of /proc and /sys, and lines of what
 * the JVM and the system's programs tell. Nothing is interpreted here.
 *
 * <p>In: captures.txt, a line for each file: when (host or moment), its path, in which a name may have {@code *} and
 * {@code [0-9]}, and the keys of the lines that are kept, joined by commas; none for the whole file.
 */
final class Capture {
  /** No file of /proc or /sys that is asked for has more. */
  private static final int MOST_CHARS = 1 << 16;

  private final Path root;
  private final List<String[]> wanted = new ArrayList<>();

  /**
   * Reads the lines of captures.txt.
   *
   * @param root of the file system that is captured
   */
  Capture(Path root, List<String> lines) {
    this.root = root;
    lines.forEach(line -> wanted.add(line.split("\t", -1)));
  }

  /** Copies the files of a time into a directory, below their own paths. */
  void files(String when, Path target) throws IOException {
    for (String[] entry : wanted) {
      if (!entry[0].equals(when)) {
        continue;
      }
      for (Path file : matching(Collections.singletonList(root), entry[1].substring(1).split("/"))) {
        String text = Machine.fileText(file.toString());
        if (text != null) {
          Path copy = target.resolve(KitFiles.slashed(root.relativize(file)));
          Files.createDirectories(copy.getParent());
          Files.write(copy, kept(text, entry[2]).getBytes(StandardCharsets.UTF_8));
        }
      }
    }
  }

  /** What is kept of one file; null where it is not asked for, or not there. */
  String text(String path) {
    for (String[] entry : wanted) {
      String text = entry[1].equals(path) ? Machine.fileText(root.resolve(path.substring(1)).toString()) : null;
      if (text != null) {
        return kept(text, entry[2]);
      }
    }
    return null;
  }

  private static List<Path> matching(List<Path> above, String[] names) throws IOException {
    List<Path> found = above;
    for (String name : names) {
      List<Path> next = new ArrayList<>();
      for (Path folder : found) {
        if (name.matches("[^*\\[]+")) {
          next.add(folder.resolve(name));
        } else if (Files.isDirectory(folder)) {
          try (DirectoryStream<Path> each = Files.newDirectoryStream(folder, name)) {
            each.forEach(next::add);
          }
        }
      }
      found = next;
    }
    return found;
  }

  /** The first line of each key; lines of other keys may tell what nobody asked for, such as a serial number. */
  private static String kept(String text, String keys) {
    if (keys.isEmpty()) {
      return text.substring(0, Math.min(text.length(), MOST_CHARS)) + '\n';
    }
    StringBuilder lines = new StringBuilder();
    for (String key : keys.split(",")) {
      Arrays.stream(text.split("\n")).filter(line -> line.split("[:=]", 2)[0].trim().equals(key)).findFirst()
          .ifPresent(line -> lines.append(line).append('\n'));
    }
    return lines.toString();
  }

  /** Writes {@code key=value} lines; what is not facts is left out. */
  static void lines(Map<String, ?> facts, Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    facts.forEach((key, value) -> {
      if (value != null) {
        text.append(key).append('=').append(value.toString().replaceAll("\\s+", " ").trim()).append('\n');
      }
    });
    Files.createDirectories(file.getParent());
    Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
