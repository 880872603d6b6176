package jcarerun;

import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Lists the algorithms of providers, as the providers themselves say.
 *
 * <p>Out: a line for each on stdout, with tabs: provider id, service, algorithm, the JCA provider that has it. A
 * provider that can't be loaded has one line with the service {@code error} and the reason.
 */
public final class AlgorithmList {
  private static final List<String> SERVICES = Arrays.asList("Cipher", "KDF", "KEM", "KeyAgreement", "KeyGenerator",
      "KeyPairGenerator", "Mac", "MessageDigest", "SecretKeyFactory", "SecureRandom", "Signature");

  private AlgorithmList() {}

  /**
   * Lists.
   *
   * @param args provider ids, see {@link Providers}
   */
  public static void main(String[] args) {
    for (String id : args) {
      lines(id).forEach(line -> System.out.println(id + '\t' + line));
    }
  }

  /** The lines of a provider without its id, sorted. */
  static List<String> lines(String id) {
    Provider provider;
    try {
      provider = Providers.get(id);
    } catch (IllegalArgumentException e) {
      return Collections.singletonList("error\t" + e.getMessage().replaceAll("\\s+", " ") + '\t');
    }
    Map<String, String> found = new LinkedHashMap<>();
    for (Provider each : together(provider)) {
      for (Provider.Service service : each.getServices()) {
        if (SERVICES.contains(service.getType()) && !isObjectIdentifier(service.getAlgorithm())) {
          found.putIfAbsent(service.getType() + '\t' + service.getAlgorithm(), each.getName());
        }
      }
    }
    List<String> lines = new ArrayList<>();
    new TreeSet<>(found.keySet()).forEach(key -> lines.add(key + '\t' + found.get(key)));
    return lines;
  }

  private static boolean isObjectIdentifier(String algorithm) {
    return algorithm.matches("(OID\\.)?[0-9]+(\\.[0-9]+)+");
  }

  /** The JDK's providers help each other out, see {@link Jca}; one from a jar stands alone. */
  private static List<Provider> together(Provider provider) {
    boolean installed = provider == null || Security.getProvider(provider.getName()) == provider;
    List<Provider> found = new ArrayList<>();
    if (provider != null) {
      found.add(provider);
    }
    if (installed) {
      found.addAll(Arrays.asList(Security.getProviders()));
    }
    return found;
  }
}
