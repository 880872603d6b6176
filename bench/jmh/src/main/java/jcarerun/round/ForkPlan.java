package jcarerun.round;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.VerboseMode;

/** A fork to run: its number, and JMH arguments that select one benchmark with one setting. */
final class ForkPlan {
  /** The round's own; the last because two sets of them would be joined, and JMH splits one alone at its spaces. */
  private static final List<String> RESERVED = Arrays.asList("-rf", "-rff", "-o", "-prof", "-foe", "-jvmArgsAppend");

  final int number;
  final List<String> args;
  /** Benchmark and parameters, for messages. */
  final String name;
  /** The number of the fork that this one repeats; null for a fork of forks.tsv. */
  final Integer rerunOf;

  private ForkPlan(int number, List<String> args, String name, Integer rerunOf) {
    this.number = number;
    this.args = args;
    this.name = name;
    this.rerunOf = rerunOf;
  }

  /** The same fork once more, with a number of its own. */
  ForkPlan again(int ownNumber) {
    return new ForkPlan(ownNumber, args, name, number);
  }

  /** The number as it appears in file names. */
  String id() {
    return String.format("%03d", number);
  }

  /** The benchmark's class and method. */
  String benchmark() {
    return options(args).getIncludes().get(0).replaceAll("[\\^$\\\\]|\\\\E|\\\\Q", "");
  }

  /** The benchmark's class. */
  String workload() {
    return benchmark().substring(0, benchmark().lastIndexOf('.'));
  }

  /** Whether the benchmark's class is one of ours and of a type. */
  boolean isA(Class<?> type) {
    try {
      return !isExternal() && type.isAssignableFrom(Class.forName(workload(), false, getClass().getClassLoader()));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Whether the benchmark is of a jar that isn't ours. */
  boolean isExternal() {
    return args.contains("-Djcarerun.outside=true");
  }

  /** The class path as the forks have it, with names alone: whoever repeats a fork manually has the jars elsewhere. */
  static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(jar -> new File(jar).getName()).collect(Collectors.joining(File.pathSeparator));
  }

  /** The benchmark's parameters that the arguments give. */
  Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    for (int i = 1; i < args.size(); i++) {
      if (args.get(i - 1).equals("-p")) {
        String[] pair = args.get(i).split("=", 2);
        parameters.put(pair[0], pair[1]);
      }
    }
    return parameters;
  }

  /**
   * Reads the lines of forks.tsv.
   *
   * @throws IllegalArgumentException in one line that names the line and what is wrong with it
   */
  static List<ForkPlan> read(List<String> lines) {
    List<ForkPlan> forks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      try {
        ForkPlan fork = parse(lines.get(i));
        if (fork.number != i + 1) {
          throw new IllegalArgumentException("fork number must be " + (i + 1) + ", is " + fork.number);
        }
        forks.add(fork);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("forks.tsv, line " + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    if (forks.isEmpty()) {
      throw new IllegalArgumentException("forks.tsv is empty: it must have a line for each fork");
    }
    return forks;
  }

  private static ForkPlan parse(String line) {
    List<String> fields = Arrays.asList(line.split("\t", -1));
    if (!fields.get(0).matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException("must start with the fork's number, is '" + fields.get(0) + "'");
    }
    List<String> args = fields.subList(1, fields.size());
    if (args.isEmpty() || args.contains("")) {
      throw new IllegalArgumentException("must have arguments for JMH, none of them empty");
    }
    for (String reserved : RESERVED) {
      if (args.contains(reserved)) {
        throw new IllegalArgumentException(reserved + " is the round's own to give");
      }
    }
    return new ForkPlan(Integer.parseInt(fields.get(0)), args, name(args, options(args)), null);
  }

  /** JMH's reading of arguments. */
  static CommandLineOptions options(List<String> args) {
    try {
      return new CommandLineOptions(args.toArray(new String[0]));
    } catch (CommandLineOptionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** JMH would run every match, every value, and ignore a parameter that no benchmark has. A fork is one of each. */
  private static String name(List<String> args, CommandLineOptions options) {
    if (options.getForkCount().orElse(0) != 1) {
      throw new IllegalArgumentException("must have -f 1");
    }
    SortedSet<BenchmarkListEntry> found = BenchmarkList.defaultList().find(
        OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT),
        options.getIncludes(), options.getExcludes());
    if (found.size() != 1 || options.getIncludes().isEmpty()) {
      throw new IllegalArgumentException("must select one benchmark, " + options.getIncludes() + " selects "
          + found.size());
    }
    BenchmarkListEntry benchmark = found.first();
    Map<String, String[]> known = benchmark.getParams().orElse(Collections.emptyMap());
    StringBuilder name = new StringBuilder(benchmark.getUsername().replaceFirst("^jcarerun\\.workload\\.", ""));
    for (Map.Entry<String, String[]> parameter : known.entrySet()) {
      List<String> values = new ArrayList<>(
          options.getParameter(parameter.getKey()).orElse(Arrays.asList(parameter.getValue())));
      if (values.size() != 1) {
        throw new IllegalArgumentException("must have one value for -p " + parameter.getKey() + ", has " + values);
      }
      name.append(' ').append(parameter.getKey()).append('=').append(values.get(0));
    }
    for (int i = 1; i < args.size(); i++) {
      String parameter = args.get(i).split("=", 2)[0];
      if (args.get(i - 1).equals("-p") && !known.containsKey(parameter)) {
        throw new IllegalArgumentException(benchmark.getUsername() + " has no parameter " + parameter
            + "; it has " + known.keySet());
      }
    }
    return name.toString();
  }
}
