package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import jcarerun.TestProviders;
import jcarerun.probe.ProbedWorkload.WrongAnswer;
import jcarerun.workload.KeyPairGeneration.From;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RSA on a message, key pairs, ECDH. */
class AsymmetricTest {
  @BeforeEach
  void define() {
    TestProviders.define();
  }

  /** NIST CAVP, ECC CDH Primitive, P-256, count 0. */
  @Test
  void pointsAreMultipliedAsInThePublishedVector() throws Exception {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    ECPoint shared = Keys.multiply(parameters.getParameterSpec(ECParameterSpec.class), new ECPoint(
        number("700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287"),
        number("db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac")),
        number("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534"));
    assertEquals(number("46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"), shared.getAffineX());
  }

  private static BigInteger number(String hex) {
    return new BigInteger(hex, 16);
  }

  @ParameterizedTest(name = "{0} {1} {2} {3}")
  @CsvSource({"SunJCE,RSA,bits,getInstance", "bouncycastle,RSA,bits,init", "SunJCE,EC,secp256r1,getInstance",
      "bouncycastle,EC,secp160r1,getInstance", "bouncycastle,EC,secp224r1,init", "bouncycastle,EC,secp521r1,generate"})
  void keyPairsAreRight(String provider, String algorithm, String curve, From from) throws Exception {
    KeyPairGeneration workload = Workloads.pairs(provider, algorithm, 1024, curve, from);
    workload.setUp();
    assertEquals(algorithm, workload.generate().getPublic().getAlgorithm());
    workload.tearDown();
  }

  @Test
  void keyPairsOfAnotherLengthAreFound() throws Exception {
    KeyPairGeneration workload = Workloads.pairs("default", "RSA", 1024, Keys.BY_BITS, From.generate);
    workload.check = "after";
    workload.setUp();
    workload.generate();
    workload.bits = 2048;
    String message = assertThrows(WrongAnswer.class, workload::tearDown).getMessage();
    assertTrue(message.contains("length of the key in bits must be 2048, is 1024"), message);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({"SunJCE,secp256r1,getInstance", "bouncycastle,secp160r1,getInstance", "bouncycastle,secp256r1,init",
      "bouncycastle,secp384r1,getInstance"})
  void partiesAgree(String provider, String curve, From from) throws Exception {
    Agreement workload = Workloads.agreement(provider, "ECDH", "EC", 1024, curve, from);
    workload.setUp();
    assertTrue(workload.agree().length >= 20);
    assertEquals(0, workload.answer().length, "fresh keys give no answer that providers have in common");
  }

  @ParameterizedTest
  @CsvSource({"default,1024", "SunJCE,1024", "SunJCE,2048", "bouncycastle,1024", "bouncycastle,2048"})
  void aMessageIsEncryptedByRsa(String provider, int bits) throws Exception {
    PublicKeyCipher workload = Workloads.cipher(provider, "RSA/ECB/PKCS1Padding", "RSA", bits, "message");
    workload.setUp();
    assertEquals(bits / 8, workload.encrypt().length);
    assertArrayEquals("hello world".getBytes(StandardCharsets.US_ASCII), workload.decrypt());
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypt", "decrypt", "both", "length"})
  void aBrokenRsaIsFoundBeforeItIsTimed(String fault) {
    PublicKeyCipher workload =
        Workloads.cipher(Workloads.broken(fault), "RSA/ECB/PKCS1Padding", "RSA", 1024, "message");
    String message = assertThrows(IllegalStateException.class, workload::setUp).getMessage();
    assertTrue(message.startsWith("RSA/ECB/PKCS1Padding, "), message);
    assertTrue(message.contains(" of provider broken-" + fault), message);
  }
}
