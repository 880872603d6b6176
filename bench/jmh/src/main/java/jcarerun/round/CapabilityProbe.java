package jcarerun.round;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jcarerun.probe.ProbedWorkload;

/**
 * Which forks of a round can run: those whose provider offers the algorithm here, and gives what the others give.
 *
 * <p>Out: {@code offered.csv}, a row for each fork of a workload that compares providers, described in data/README.md.
 * A round without such forks has no such file.
 */
final class CapabilityProbe {
  private static final String FILE = "offered.csv";
  private static final String HEADER = "fork,offered,why,answer";
  private static final int TIMEOUT_SECONDS = 600;

  /** Question line, then provider id, to the answer: yes, no, wrong or differs; its digest; why. */
  private final Map<String, Map<String, String[]>> answers = new LinkedHashMap<>();
  private final Map<Integer, Question> questions = new TreeMap<>();

  private CapabilityProbe() {}

  /** Asks every provider of the round, and writes what they say. */
  static CapabilityProbe ask(List<ForkPlan> forks, RoundFiles files) throws IOException {
    CapabilityProbe probe = new CapabilityProbe();
    Map<String, ForkPlan> first = new LinkedHashMap<>();
    Map<String, Map<String, Question>> asked = new HashMap<>();
    for (ForkPlan fork : forks) {
      Question question = Question.of(fork);
      if (question != null) {
        probe.questions.put(fork.number, question);
        first.putIfAbsent(question.provider, fork);
        asked.computeIfAbsent(question.provider, id -> new LinkedHashMap<>()).put(question.line(), question);
      }
    }
    for (Map.Entry<String, ForkPlan> plan : first.entrySet()) {
      Map<String, Question> own = asked.get(plan.getKey());
      NativeProgram program = NativeProgram.of(plan.getValue());
      if (program == null) {
        probe.putJava(plan.getKey(), new ArrayList<>(own.keySet()), JvmRecord.command(
            ForkPlan.options(plan.getValue().args)));
      } else {
        for (Question question : own.values()) {
          probe.put(question, program.ask(question, TIMEOUT_SECONDS));
        }
      }
    }
    probe.answers.values().forEach(CapabilityProbe::compare);
    if (!probe.questions.isEmpty()) {
      probe.write(files);
    }
    return probe;
  }

  /** Whether a fork can run. One that isn't asked about can. */
  boolean canRun(ForkPlan fork) {
    return !questions.containsKey(fork.number) || answer(questions.get(fork.number))[0].equals("yes");
  }

  private String[] answer(Question question) {
    return answers.get(question.line()).get(question.provider);
  }

  private void put(Question question, String[] answer) {
    answers.computeIfAbsent(question.line(), line -> new TreeMap<>()).put(question.provider, answer);
  }

  private void putJava(String provider, List<String> lines, List<String> jvm) throws IOException {
    File in = File.createTempFile("jcarerun", ".in");
    File out = File.createTempFile("jcarerun", ".out");
    try {
      Files.write(in.toPath(), lines, StandardCharsets.UTF_8);
      String end = run(provider, jvm, in, out);
      List<String> said = Files.readAllLines(out.toPath(), StandardCharsets.UTF_8);
      for (int i = 0; i < lines.size(); i++) {
        String[] answer = i < said.size() ? said.get(i).split("\t", 3) : new String[] {"no", "", end};
        answers.computeIfAbsent(lines.get(i), line -> new TreeMap<>()).put(provider, answer);
      }
    } finally {
      Files.deleteIfExists(in.toPath());
      Files.deleteIfExists(out.toPath());
    }
  }

  /** How the provider's JVM ended, in words. */
  private static String run(String provider, List<String> jvm, File in, File out) throws IOException {
    List<String> command = new ArrayList<>(jvm);
    command.addAll(Arrays.asList("-XX:ErrorFile=" + out + ".crash", "-cp", System.getProperty("java.class.path"),
        CapabilityMain.class.getName(), provider, out.getPath()));
    File said = File.createTempFile("jcarerun", ".txt");
    try {
      Process process = new ProcessBuilder(command).redirectInput(in).redirectErrorStream(true).redirectOutput(said)
          .start();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "the provider's JVM did not answer within " + TIMEOUT_SECONDS + " s";
      }
      return "the provider's JVM ended with status " + process.exitValue() + " when it was asked this, or before";
    } catch (InterruptedException e) {
      throw new ForkFailure("interrupted while asking a provider what it offers", e);
    } finally {
      Files.deleteIfExists(said.toPath());
    }
  }

  /** What most providers give is right; where as many say one thing as another, none of them is believed. */
  static void compare(Map<String, String[]> byProvider) {
    Map<String, List<String>> who = new TreeMap<>();
    byProvider.forEach((provider, answer) -> {
      if (answer[0].equals("yes") && !answer[1].isEmpty()) {
        who.computeIfAbsent(answer[1], digest -> new ArrayList<>()).add(provider);
      }
    });
    int most = who.values().stream().mapToInt(List::size).max().orElse(0);
    List<List<String>> largest = who.values().stream().filter(ids -> ids.size() == most).collect(Collectors.toList());
    who.forEach((digest, ids) -> {
      if (largest.size() > 1 || ids.size() < most) {
        String others = who.entrySet().stream().filter(other -> !other.getKey().equals(digest))
            .flatMap(other -> other.getValue().stream()).collect(Collectors.joining(" and "));
        String[] answer = {"differs", digest, "gives another result than " + others};
        ids.forEach(id -> byProvider.put(id, answer));
      }
    });
  }

  private void write(RoundFiles files) throws IOException {
    List<String> rows = new ArrayList<>();
    rows.add(HEADER);
    questions.forEach((fork, question) -> {
      String[] answer = answer(question);
      rows.add(fork + "," + answer[0] + ",\"" + answer[2].replace("\"", "'") + "\"," + answer[1]);
    });
    files.write(FILE, rows);
  }

  /** What to ask a provider on behalf of a fork: a workload's class and parameters, the same text for like forks. */
  static final class Question {
    /** A text of that length tells as much of a provider as a longer one; the fork's own set-up checks the whole. */
    private static final int MOST_BYTES = 8192;

    /** Class of the workload. */
    final String type;
    /** Provider id. */
    final String provider;
    /** Parameters but the provider. */
    final Map<String, String> parameters;

    private Question(String type, String provider, Map<String, String> parameters) {
      this.type = type;
      this.provider = provider;
      this.parameters = parameters;
    }

    /** The question of a fork, or null where its workload doesn't compare providers. */
    static Question of(ForkPlan fork) {
      if (!fork.isA(ProbedWorkload.class)) {
        return null;
      }
      Map<String, String> parameters = fork.parameters();
      String provider = parameters.containsKey("provider") ? parameters.remove("provider") : "default";
      parameters.computeIfPresent("bytes",
          (name, value) -> String.valueOf(Math.min(MOST_BYTES, Integer.parseInt(value))));
      return new Question(fork.workload(), provider, parameters);
    }

    /** A line without the provider: alike for the forks whose answers must be alike. */
    String line() {
      StringBuilder line = new StringBuilder(type);
      parameters.forEach((name, value) -> line.append('\t').append(name).append('=').append(value));
      return line.toString();
    }

    /** The parameters in the parts of a line. */
    static Map<String, String> parameters(String[] parts) {
      Map<String, String> parameters = new TreeMap<>();
      for (int i = 1; i < parts.length; i++) {
        String[] pair = parts[i].split("=", 2);
        parameters.put(pair[0], pair[1]);
      }
      return parameters;
    }
  }
}
