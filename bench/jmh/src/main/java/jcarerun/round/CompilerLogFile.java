package jcarerun.round;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * A fork's compilation log, kept small: packed, and without what the first compiler did with calls, which is three
 * quarters of it and tells nothing of whether code is settled. Every other line is as HotSpot wrote it.
 */
final class CompilerLogFile {
  /** {@code <uptime> <id> <flags> <tier> <method> ...}; a tree of calls follows, indented, each at its {@code @}. */
  private static final Pattern COMPILED = Pattern.compile("\\s*\\d+\\s+\\d+\\s[%sbn! ]{5,6}\\s*([0-4])\\s{2,}\\S+.*");
  private static final Pattern CALL = Pattern.compile("[\\s!sm]*@ -?\\d+\\s.*");
  private static final Pattern PROFILE = Pattern.compile("\\s+\\\\-&gt;.*");
  private static final String WRITER = "<writer thread=";
  private static final String SECOND_COMPILER = "4";
  private static final String NATIVE = "0";

  /** Where the JVM writes it. */
  final Path written;
  final Path stacks;
  private final Path kept;

  CompilerLogFile(String fork) {
    this.written = Paths.get("jit", fork + ".log");
    this.kept = Paths.get("jit", fork + ".log.gz");
    this.stacks = Paths.get("jit", fork + ".stacks");
  }

  /** Packs the log, where the JVM left one: another vendor's has other flags. */
  void keep() throws IOException {
    if (!Files.isRegularFile(written)) {
      return;
    }
    try (BufferedReader lines = Files.newBufferedReader(written, StandardCharsets.ISO_8859_1);
         BufferedWriter out = new BufferedWriter(new OutputStreamWriter(
             new GZIPOutputStream(Files.newOutputStream(kept)), StandardCharsets.ISO_8859_1))) {
      copy(lines, out);
    }
    Files.delete(written);
  }

  /**
   * Copies a log without what the first compiler did with calls. A tree is of what its thread last began to compile: a
   * native method's wrapper, which a compiler may make in the middle of its work, has none.
   */
  static void copy(BufferedReader lines, Writer out) throws IOException {
    Map<String, String> tiers = new HashMap<>();
    String thread = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher compiled = COMPILED.matcher(line);
      if (line.startsWith(WRITER)) {
        thread = line;
      } else if (compiled.matches() && !line.contains(")   made ") && !NATIVE.equals(compiled.group(1))) {
        tiers.put(thread, compiled.group(1));
      }
      boolean ofCall = CALL.matcher(line).matches() || PROFILE.matcher(line).matches();
      if (!ofCall || SECOND_COMPILER.equals(tiers.get(thread))) {
        out.write(line);
        out.write('\n');
      }
    }
  }
}
