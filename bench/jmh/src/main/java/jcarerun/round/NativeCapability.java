package jcarerun.round;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import jcarerun.probe.ProbedWorkload;

/** What a native program offers: asked as {@link CapabilityMain} asks a JCA provider, with the same answers. */
final class NativeCapability {
  /** The program's exit status when its own check fails. */
  private static final int WRONG = 1;

  private NativeCapability() {}

  /**
   * Asks.
   *
   * @return yes, no or wrong; SHA-256 of the answer or nothing; why, in words
   */
  static String[] of(NativeProgram program, CapabilityQuestion question, int timeoutSeconds) throws IOException {
    File said = File.createTempFile("jcarerun", ".txt");
    try {
      List<String> words = NativeProgram.words(question);
      words.add("--check");
      Integer status = run(program, words, said, timeoutSeconds);
      if (status == null || status != 0) {
        String why = status == null ? "did not answer within " + timeoutSeconds + " s" : last(said, status);
        return new String[] {status != null && status == WRONG ? "wrong" : "no", "", why};
      }
      if (!isRepeatable(question)) {
        return new String[] {"yes", "", ""};
      }
      words.set(words.size() - 1, "--digest");
      status = run(program, words, said, timeoutSeconds);
      String digest = last(said, 0);
      if (status == null || status != 0 || !digest.matches("[0-9a-f]{64}")) {
        return new String[] {"wrong", "", "checked, and then no result: " + digest};
      }
      return new String[] {"yes", digest, ""};
    } catch (IllegalArgumentException e) {
      return new String[] {"no", "", e.getMessage()};
    } finally {
      Files.deleteIfExists(said.toPath());
    }
  }

  private static boolean isRepeatable(CapabilityQuestion question) {
    try {
      return ProbedWorkload.of(question.type, question.parameters).isRepeatable();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(question.line() + ": " + e, e);
    }
  }

  private static Integer run(NativeProgram program, List<String> words, File said, int timeoutSeconds)
      throws IOException {
    Files.write(said.toPath(), new byte[0]);
    if (!new File(program.path).canExecute()) {
      throw new IllegalArgumentException("there is no program " + program.path + " here");
    }
    return NativeProgram.finish(program.process(words, said), timeoutSeconds);
  }

  private static String last(File said, int status) throws IOException {
    List<String> lines = Files.readAllLines(said.toPath(), StandardCharsets.UTF_8);
    return lines.isEmpty() ? "ended with status " + status : lines.get(lines.size() - 1).trim();
  }
}
