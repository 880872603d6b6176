package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jcarerun.OtherProviders;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ML-KEM from Bouncy Castle, through the JCA's API of Java 21. */
class EncapsulatingTest {
  @BeforeEach
  void define() {
    OtherProviders.define();
  }

  private static Encapsulating workload(String provider) {
    Encapsulating workload = new Encapsulating();
    workload.provider = provider;
    workload.algorithm = "ML-KEM-768";
    return workload;
  }

  @Test
  void bouncyCastleHasIt() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "javax.crypto.KEM is of Java 21");
    Encapsulating workload = workload("bouncycastle");
    workload.setUp();
    assertDoesNotThrow(workload::encapsulate);
    assertDoesNotThrow(workload::decapsulate);
    assertEquals(0, workload.answer().length);
    workload.tearDown();
  }

  @Test
  void whatIsLackingIsSaid() {
    IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> workload("gnu-crypto").setUp());
    assertTrue(thrown.getMessage().startsWith("ML-KEM-768 of provider gnu-crypto can't be run"), thrown.getMessage());
  }
}
