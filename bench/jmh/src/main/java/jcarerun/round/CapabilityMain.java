package jcarerun.round;

import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Map;
import jcarerun.Sha256;
import jcarerun.probe.ProbedWorkload;
import jcarerun.probe.ProbedWorkload.WrongAnswer;

/**
 * Asks one provider what it offers, in a JVM of its own: native code that crashes then takes nothing else with it.
 *
 * <p>In: on stdin a question per line ({@link CapabilityProbe.Question#line}). Out: in the file of the second argument
 * a line for each: yes, no or wrong; SHA-256 of the answer or nothing; why, in words. Tabs between them. Flushed line
 * by line.
 */
public final class CapabilityMain {
  private CapabilityMain() {}

  /**
   * Asks.
   *
   * @param args provider id, output file
   */
  public static void main(String[] args) throws IOException {
    // This JVM has the options of the provider's first fork. There is no answer before the first call of a cold one.
    System.clearProperty("jcarerun.cold");
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new FileOutputStream(args[1]), true, "UTF-8")) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.print(answer(args[0], line.split("\t")) + "\n");
        out.flush();
      }
    }
    // A library may have left threads behind.
    System.exit(0);
  }

  private static String answer(String provider, String[] question) {
    try {
      Map<String, String> parameters = CapabilityProbe.Question.parameters(question);
      parameters.put("provider", provider);
      ProbedWorkload workload = ProbedWorkload.of(question[0], parameters);
      workload.setUp();
      byte[] result = workload.answer();
      String digest = result.length == 0 ? "" : Sha256.of(result);
      workload.tearDown();
      return "yes\t" + digest + '\t';
    } catch (WrongAnswer e) {
      return "wrong\t\t" + oneLine(e.getMessage());
    } catch (GeneralSecurityException | IOException | ReflectiveOperationException | RuntimeException
        | LinkageError e) {
      return "no\t\t" + oneLine(rootCause(e));
    }
  }

  private static String rootCause(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
