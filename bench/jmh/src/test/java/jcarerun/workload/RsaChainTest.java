package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import jcarerun.BouncyCastle;
import jcarerun.probe.Observations;
import jcarerun.probe.WrongAnswer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RSA step by step. */
class RsaChainTest {
  @BeforeEach
  void forgetWhatOthersObserved() {
    BouncyCastle.define();
    Observations.take();
  }

  private static RsaChain chain(String provider) throws Exception {
    RsaChain chain = Workloads.of(RsaChain.class, provider, "bits", 1024, "random", RandomSource.USUAL);
    chain.setUp();
    return chain;
  }

  @ParameterizedTest
  @ValueSource(strings = {"SunJCE", "bouncycastle"})
  void everyStepIsTimed(String provider) throws Exception {
    RsaChain chain = chain(provider);
    chain.startClock();
    chain.roundTrip();
    chain.roundTrip();
    chain.stopClock();
    List<String> found = Observations.take();
    assertEquals(6, found.size(), String.join(" ", found));
    for (String row : found) {
      assertTrue(row.startsWith("step.") && Double.parseDouble(row.split(",")[1]) > 0, row);
    }
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
  void aKeyOfAnotherLengthIsFound() throws Exception {
    RsaChain chain = chain("SunJCE");
    chain.startClock();
    chain.roundTrip();
    chain.bits = 2048;
    assertThrows(WrongAnswer.class, chain::stopClock);
    Observations.take();
  }
}
