package jcarerun.round;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

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
  private final Map<Integer, CapabilityQuestion> questions = new TreeMap<>();

  private CapabilityProbe() {}

  /** Asks every provider of the round, and writes what they say. */
  static CapabilityProbe ask(List<ForkPlan> forks, RoundFiles files) throws IOException {
    CapabilityProbe probe = new CapabilityProbe();
    Map<String, ForkPlan> first = new LinkedHashMap<>();
    Map<String, Map<String, CapabilityQuestion>> asked = new HashMap<>();
    for (ForkPlan fork : forks) {
      CapabilityQuestion question = CapabilityQuestion.of(fork);
      if (question != null) {
        probe.questions.put(fork.number, question);
        first.putIfAbsent(question.provider, fork);
        asked.computeIfAbsent(question.provider, id -> new LinkedHashMap<>()).put(question.line(), question);
      }
    }
    for (Map.Entry<String, ForkPlan> plan : first.entrySet()) {
      Map<String, CapabilityQuestion> own = asked.get(plan.getKey());
      NativeProgram program = NativeProgram.of(plan.getValue());
      if (program == null) {
        probe.putJava(plan.getKey(), new ArrayList<>(own.keySet()), JvmRecord.command(
            ForkPlan.options(plan.getValue().args)));
      } else {
        for (CapabilityQuestion question : own.values()) {
          probe.put(question, NativeCapability.of(program, question, TIMEOUT_SECONDS));
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

  private String[] answer(CapabilityQuestion question) {
    return answers.get(question.line()).get(question.provider);
  }

  private void put(CapabilityQuestion question, String[] answer) {
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
  private static void compare(Map<String, String[]> byProvider) {
    Map<String, List<String>> who = new TreeMap<>();
    byProvider.forEach((provider, answer) -> {
      if (answer[0].equals("yes") && !answer[1].isEmpty()) {
        who.computeIfAbsent(answer[1], digest -> new ArrayList<>()).add(provider);
      }
    });
    if (who.size() < 2) {
      return;
    }
    int most = Collections.max(who.values().stream().map(List::size).collect(Collectors.toList()));
    boolean tie = who.values().stream().filter(list -> list.size() == most).count() > 1;
    Set<String> believed = new HashSet<>();
    who.values().stream().filter(list -> !tie && list.size() == most).forEach(believed::addAll);
    who.forEach((digest, providers) -> providers.stream().filter(id -> !believed.contains(id)).forEach(id -> {
      List<String> others = new ArrayList<>();
      who.forEach((other, list) -> {
        if (!other.equals(digest)) {
          others.addAll(list);
        }
      });
      String[] answer = byProvider.get(id);
      answer[0] = "differs";
      answer[2] = "gives another result than " + String.join(" and ", others);
    }));
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
}
