package jcarerun.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jcarerun.TestProviders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cold fork's first timed call is the first of all; what is wrong is found after the last one. */
class ColdTest {
  @BeforeEach
  void beCold() {
    TestProviders.define();
    System.setProperty("jcarerun.cold", "true");
  }

  @AfterEach
  void beUsual() {
    System.clearProperty("jcarerun.cold");
  }

  /** The set-up meets no fault, so it has not run the operation; the tear-down does. */
  @ParameterizedTest
  @CsvSource({"encrypt,FileCipher.encrypt bytes=100 content=text mode=ECB",
      "decrypt,FileCipher.decrypt bytes=100 content=text mode=ECB",
      "encrypt,SecretKeyCipher.encrypt transformation=AES/ECB/PKCS5Padding bytes=100",
      "decrypt,SecretKeyCipher.decrypt transformation=AES/ECB/PKCS5Padding bytes=100",
      "encrypt,ZeroBytes.encrypt algorithm=AES bits=128", "constant,KeyGeneration algorithm=AES bits=128"})
  void whatIsWrongIsFoundAfterTheTiming(String fault, String row) throws Exception {
    Workload workload = Workloads.of(Workloads.broken(fault), row);
    workload.setUp();
    assertThrows(IllegalStateException.class, workload::tearDown);
  }

  /** The result is a length or a truth. The JDK made the input where it can; it takes three keys instead of two. */
  @ParameterizedTest
  @CsvSource({
    "SunJCE+bouncycastle,100,FileCipher.encrypt bytes=100 content=text",
    "SunJCE+bouncycastle,100,FileCipher.decrypt bytes=100 content=text",
    "bouncycastle,100,FileCipher.decrypt algorithm=DESede bits=112 mode=ECB bytes=100 content=text",
    "bouncycastle,100,FileCipher.decrypt algorithm=DESede bits=112 mode=CBC bytes=100 content=text",
    "bouncycastle,100,SecretKeyCipher.decrypt transformation=AES/CBC/PKCS5Padding bytes=100",
    "bouncycastle,112,SecretKeyCipher.encrypt transformation=AES/CBC/PKCS5Padding bytes=100",
    "bouncycastle,100,SecretKeyCipher.decrypt transformation=Twofish/CBC/PKCS5Padding bytes=100",
    "bouncycastle,112,SecretKeyCipher.encrypt transformation=Twofish/CBC/PKCS5Padding bytes=100",
    "bouncycastle,100,SecretKeyCipher.decrypt transformation=AES/GCM/NoPadding bytes=100",
    "bouncycastle,116,SecretKeyCipher.encrypt transformation=AES/GCM/NoPadding bytes=100",
    "SunJCE+bouncycastle,32,PublicKeyCipher.decrypt bits=1536",
    "SunJCE+bouncycastle,true,Signing.verifySignature algorithm=SHA1withRSA bits=1536 bytes=100",
    "SunJCE+bouncycastle,117,ZeroBytes.decrypt algorithm=RSA bits=1024",
    "bouncycastle,32,PublicKeyCipher.decrypt transformation=ElGamal/None/PKCS1Padding keys=DH bits=1536",
  })
  void theFirstCallIsTheTimedOne(String providers, String expected, String row) throws Exception {
    for (String provider : providers.split("\\+")) {
      Workload workload = Workloads.of(provider, row);
      workload.setUp();
      Object result = workload.getClass().getMethod(workload.operation).invoke(workload);
      assertEquals(expected, String.valueOf(result instanceof byte[] ? ((byte[]) result).length : result));
      workload.tearDown();
    }
  }
}
