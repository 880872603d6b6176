package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import jcarerun.TestProviders;
import jcarerun.workload.SingleCalls.Call;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A provider that answers well while it is checked before the timing, and not afterwards, fails its fork. */
class LyingProviderTest {
  private static final int TIMED_CALLS = 400;

  @BeforeAll
  static void define() {
    TestProviders.define();
  }

  @AfterEach
  void beWarm() {
    System.clearProperty("jcarerun.cold");
  }

  private static void time(Workload workload, Callable<?> operation) throws Exception {
    workload.setUp();
    for (int call = 0; call < TIMED_CALLS; call++) {
      operation.call();
    }
  }

  private static void assertFound(Workload workload, Callable<?> operation) throws Exception {
    time(workload, operation);
    String message = assertThrows(IllegalStateException.class, workload::tearDown).getMessage();
    assertTrue(message.contains(" of provider broken-"), message);
  }

  @ParameterizedTest
  @CsvSource({"later,false", "later,true", "seen,false", "seen,true"})
  void itIsFoundAfterTheTiming(String fault, boolean cold) throws Exception {
    System.setProperty("jcarerun.cold", String.valueOf(cold));
    for (String transformation : new String[] {"AES/CBC/PKCS5Padding", "AES/CTR/NoPadding"}) {
      SecretKeyCipher cipher =
          (SecretKeyCipher) Call.encrypt.workload(Workloads.broken(fault), transformation, 128, 1000);
      assertFound(cipher, cipher::encrypt);
    }
    PublicKeyCipher rsa =
        Workloads.cipher(Workloads.broken(fault), "RSA/ECB/PKCS1Padding", "RSA", 1024, "message");
    rsa.operation = "encrypt";
    assertFound(rsa, rsa::encrypt);
  }

  @Test
  void aDigestThatIsWrongLaterIsFound() throws Exception {
    Digest digest = (Digest) Call.digest.workload(Workloads.broken("later"), "SHA-256", 0, 20);
    assertFound(digest, digest::digest);
  }

  @ParameterizedTest
  @CsvSource({"encrypt,AES/GCM/NoPadding,256", "encrypt,ChaCha20-Poly1305,256", "encrypt,DESede/CBC/PKCS5Padding,112",
      "digest,SHA3-256,0", "mac,HmacSHA512,512", "sign,SHA256withRSA,2048", "sign,SHA256withECDSA,256"})
  void honestProvidersPass(Call call, String algorithm, int bits) throws Exception {
    for (String provider : new String[] {"SunJCE", "bouncycastle"}) {
      Workload workload = call.workload(provider, algorithm, bits, 1000);
      time(workload, () -> call.run(workload));
      workload.tearDown();
    }
  }
}
