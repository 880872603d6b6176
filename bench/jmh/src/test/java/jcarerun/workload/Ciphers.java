package jcarerun.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jcarerun.BouncyCastle;
import jcarerun.FakeProvider;
import jcarerun.Providers;
import org.junit.jupiter.params.provider.Arguments;

/** The ciphers and providers that workloads are tested with. */
public final class Ciphers {
  private static final String[] FAULTS = {"encrypt", "decrypt", "both", "stream", "length"};

  private Ciphers() {}

  /** Provider, algorithm, bits: each of the experiments' ciphers from each of their providers. */
  public static Stream<Arguments> all() {
    BouncyCastle.define();
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
}
