package jcarerun.round;

import java.util.Map;
import java.util.TreeMap;
import jcarerun.probe.ProbedWorkload;

/** What to ask a provider on behalf of a fork: a workload's class and parameters, the same text for like forks. */
final class CapabilityQuestion {
  /** A text of that length tells as much of a provider as a longer one; the fork's own set-up checks the whole. */
  private static final int MOST_BYTES = 8192;

  /** Class of the workload. */
  final String type;
  /** Provider id. */
  final String provider;
  /** Parameters but the provider. */
  final Map<String, String> parameters;

  private CapabilityQuestion(String type, String provider, Map<String, String> parameters) {
    this.type = type;
    this.provider = provider;
    this.parameters = parameters;
  }

  /** The question of a fork, or null where its workload doesn't compare providers. */
  static CapabilityQuestion of(ForkPlan fork) {
    String benchmark = fork.benchmark();
    String type = benchmark.substring(0, benchmark.lastIndexOf('.'));
    if (fork.isExternal() || !ProbedWorkload.is(type)) {
      return null;
    }
    Map<String, String> parameters = fork.parameters();
    String provider = parameters.containsKey("provider") ? parameters.remove("provider") : "default";
    parameters.computeIfPresent("bytes",
        (name, value) -> String.valueOf(Math.min(MOST_BYTES, Integer.parseInt(value))));
    return new CapabilityQuestion(type, provider, parameters);
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
