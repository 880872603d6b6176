package jcarerun.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import jcarerun.FakeProvider;
import jcarerun.Providers;
import jcarerun.TestProviders;
import jcarerun.probe.Observations;
import jcarerun.probe.ProbedWorkload;
import jcarerun.workload.KeyPairGeneration.From;
import org.junit.jupiter.params.provider.Arguments;

/** Workloads by their parameters, and the ciphers and providers that they are tested with. */
public final class Workloads {
  private static final String[] FAULTS = {"encrypt", "decrypt", "both", "stream", "length"};

  private Workloads() {}

  /** A workload by names and values of parameters, one after the other; the others have their defaults. */
  static <T extends Workload> T of(Class<T> type, String provider, Object... namesAndValues) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("provider", provider);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      parameters.put((String) namesAndValues[i], String.valueOf(namesAndValues[i + 1]));
    }
    try {
      return ProbedWorkload.make(type, parameters);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same by a row: {@code Class} or {@code Class.operation}, a space, then name=value and so on. */
  static Workload of(String provider, String row) throws ClassNotFoundException {
    String[] words = row.split("[ =]");
    String[] benchmark = words[0].split("\\.");
    Class<?> type = Class.forName(Workload.class.getPackage().getName() + '.' + benchmark[0]);
    Object[] parameters = Arrays.copyOfRange(words, 1, words.length, Object[].class);
    Workload workload = of(type.asSubclass(Workload.class), provider, parameters);
    workload.operation = benchmark.length == 1 ? "" : benchmark[1];
    return workload;
  }

  static KeyPairGeneration pairs(String provider, String algorithm, int bits, String curve, From from) {
    return of(KeyPairGeneration.class, provider, "algorithm", algorithm, "bits", bits, "curve", curve, "from", from);
  }

  static PublicKeyCipher cipher(String provider, String transformation, String keys, int bits, String content) {
    return of(PublicKeyCipher.class, provider, "transformation", transformation, "keys", keys, "bits", bits,
        "content", content);
  }

  static Agreement agreement(String provider, String algorithm, String keys, int bits, String curve, From from) {
    return of(Agreement.class, provider, "algorithm", algorithm, "keys", keys, "bits", bits, "curve", curve,
        "from", from);
  }

  /** Provider, algorithm, bits: each of the experiments' ciphers from each of their providers. */
  public static Stream<Arguments> all() {
    TestProviders.define();
    List<Arguments> all = new ArrayList<>();
    for (String provider : new String[] {"default", "SunJCE", "bouncycastle"}) {
      all.add(Arguments.of(provider, "DES", 56));
      all.add(Arguments.of(provider, "DESede", 112));
      all.add(Arguments.of(provider, "DESede", 168));
      all.add(Arguments.of(provider, "AES", 128));
      all.add(Arguments.of(provider, "Blowfish", 56));
    }
    return all.stream();
  }

  /** Ways in which a cipher can be wrong. */
  public static Stream<String> faults() {
    return Stream.of(FAULTS);
  }

  /** The id of a provider with a fault, see {@link FakeProvider}. */
  public static String broken(String fault) {
    String id = "broken-" + fault;
    String classes = FakeProvider.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    System.setProperty("jcarerun.provider." + id, FakeProvider.class.getName() + "@" + classes);
    System.setProperty("jcarerun.test.fault", fault);
    Providers.get(id);
    return id;
  }

  /** What was observed since the last call: measures with their values, in their order. */
  static Map<String, String> observed() {
    Map<String, String> found = new LinkedHashMap<>();
    Observations.take().forEach(row -> found.put(row.split(",")[0], row.split(",")[1]));
    return found;
  }

  /** The same of an iteration of some calls, all values counts. */
  static Map<String, long[]> counts(Workload workload, Callable<?> operation, int calls) throws Exception {
    iteration(workload, operation, calls);
    Map<String, long[]> found = new LinkedHashMap<>();
    observed().forEach((measure, value) ->
        found.put(measure, Arrays.stream(value.split(";")).mapToLong(Long::parseLong).toArray()));
    return found;
  }

  /** The same, all values numbers. */
  static Map<String, Double> numbers(Workload workload, Callable<?> operation) throws Exception {
    iteration(workload, operation, 1);
    Map<String, Double> found = new LinkedHashMap<>();
    observed().forEach((measure, value) -> found.put(measure, Double.valueOf(value)));
    return found;
  }

  private static void iteration(Workload workload, Callable<?> operation, int calls) throws Exception {
    workload.startClock();
    for (int call = 0; call < calls; call++) {
      operation.call();
    }
    workload.stopClock();
  }
}
