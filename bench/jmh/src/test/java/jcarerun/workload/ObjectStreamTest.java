package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jcarerun.TestProviders;
import jcarerun.probe.Observations;
import jcarerun.probe.ProbedWorkload.WrongAnswer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Object graphs through plain and encrypted streams, zero bytes through RSA, and what is observed of the steps. */
class ObjectStreamTest {
  @BeforeEach
  void forgetWhatOthersObserved() {
    TestProviders.define();
    Observations.take();
  }

  private static <T extends CipherChain> T chain(T chain, String provider, String algorithm, int bits) {
    chain.provider = provider;
    chain.algorithm = algorithm;
    chain.bits = bits;
    chain.mode = "CBC";
    chain.random = RandomSource.USUAL;
    chain.objects = ObjectGraph.Kind.graph;
    chain.repetitions = 1;
    return chain;
  }

  private static Map<String, Double> iteration(ObjectStream workload) throws Exception {
    return Workloads.numbers(workload, workload::roundTrip);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @MethodSource("jcarerun.workload.Workloads#all")
  void everyCipherOfEveryProviderBringsTheGraphsBack(String provider, String algorithm, int bits) throws Exception {
    CipherChain chain = chain(new CipherChain(), provider, algorithm, bits);
    chain.setUp();
    assertEquals(List.of("step.generate-key", "step.create-cipher", "step.initialise", "step.encrypt",
        "step.create-receiver", "step.initialise-receiver", "step.decrypt", "serialise", "deserialise",
        "part.generate-key.seeding"), List.copyOf(iteration(chain).keySet()));
    Map<String, Double> second = iteration(chain);
    assertEquals(9, second.size());
    second.forEach((step, ns) -> assertTrue(ns > 0, step));
  }

  @Test
  void theSeedingIsPartOfTheFirstKey() throws Exception {
    CipherChain chain = chain(new CipherChain(), "default", "AES", 128);
    chain.mode = "ECB";
    chain.setUp();
    Map<String, Double> first = iteration(chain);
    double seeding = first.get("part.generate-key.seeding");
    assertTrue(seeding > 0 && seeding < first.get("step.generate-key"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHA1PRNG", "NativePRNG", "NativePRNGBlocking", "usual"})
  void theRandomSourceIsTheOneThatIsNamed(String random) throws Exception {
    for (String provider : new String[] {"SunJCE", "bouncycastle"}) {
      CipherChain chain = chain(new CipherChain(), provider, "AES", 128);
      chain.random = random;
      chain.setUp();
      assertTrue(iteration(chain).get("part.generate-key.seeding") > 0);
      chain.tearDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void objectsOfEveryKindComeBack(ObjectGraph.Kind objects) throws Exception {
    CipherChain chain = chain(new CipherChain(), "default", "AES", 128);
    chain.objects = objects;
    chain.setUp();
    assertTrue(iteration(chain).get("serialise") > 0);
    chain.tearDown();
  }

  @Test
  void seedingBeforeTheFirstIterationIsNoPartOfIt() throws Exception {
    CipherChain chain = chain(new CipherChain(), "default", "AES", 128);
    chain.setUp();
    chain.roundTrip();
    chain.warmed();
    assertEquals(0, iteration(chain).get("part.generate-key.seeding"));
  }

  @Test
  void aHybridWrapsItsKey() throws Exception {
    for (String provider : new String[] {"SunJCE", "bouncycastle"}) {
      HybridChain chain = chain(new HybridChain(), provider, "AES", 128);
      chain.rsaBits = 1024;
      chain.setUp();
      Map<String, Double> found = iteration(chain);
      assertTrue(found.get("step.wrap-key") > 0 && found.get("step.unwrap-key") > 0);
    }
  }

  @Test
  void plainStreamsAreTimedInTwoSteps() throws Exception {
    PlainStream plain = Workloads.of(PlainStream.class, "default", "repetitions", 10,
        "objects", ObjectGraph.Kind.numbers);
    plain.setUp();
    assertEquals(List.of("step.serialise", "step.deserialise"), List.copyOf(iteration(plain).keySet()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("jcarerun.workload.Workloads#faults")
  void aBrokenCipherIsFoundAfterTheFirstIterationAtTheLatest(String fault) throws Exception {
    CipherChain chain = chain(new CipherChain(), Workloads.broken(fault), "AES", 128);
    chain.mode = "ECB";
    assertThrows(Exception.class, () -> {
      chain.setUp();
      iteration(chain);
    });
  }

  @Test
  void observationsHavePlainNamesAndFiniteValues() {
    assertThrows(IllegalArgumentException.class, () -> Observations.add("Step One", 1));
    assertThrows(IllegalArgumentException.class, () -> Observations.add("step", Double.NaN));
    Observations.add("a.b-1", 1500);
    Observations.add("c", 0.1234);
    Observations.counts("d", new long[] {1, 0, 20});
    Observations.counts("e", new long[] {7});
    assertEquals("a.b-1,1500 c,0.123 d,1;0;20 e,7;", Observations.take().stream().collect(Collectors.joining(" ")));
    assertTrue(Observations.take().isEmpty());
  }

  private static RsaChain rsa(String provider) throws Exception {
    RsaChain chain = Workloads.of(RsaChain.class, provider, "bits", 1024, "random", RandomSource.USUAL);
    chain.setUp();
    return chain;
  }

  @ParameterizedTest
  @ValueSource(strings = {"SunJCE", "bouncycastle"})
  void everyStepOfRsaIsTimed(String provider) throws Exception {
    RsaChain chain = rsa(provider);
    chain.roundTrip();
    Map<String, Double> found = Workloads.numbers(chain, chain::roundTrip);
    assertEquals(6, found.size(), found.toString());
    found.forEach((step, ns) -> assertTrue(step.startsWith("step.") && ns > 0, step));
  }

  @Test
  void stepsThatWereForgottenAreNotObserved() {
    Steps steps = new Steps("one");
    steps.start();
    steps.lap(0);
    steps.done();
    steps.forget();
    steps.observe();
    assertTrue(Observations.take().isEmpty());
  }

  @Test
  void anRsaKeyOfAnotherLengthIsFound() throws Exception {
    RsaChain chain = rsa("SunJCE");
    chain.startClock();
    chain.roundTrip();
    chain.bits = 2048;
    assertThrows(WrongAnswer.class, chain::stopClock);
    Observations.take();
  }
}
