package jcarerun.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates are made once, whoever asks first. */
class CertificatesTest {
  @TempDir
  Path folder;

  private String before;

  @BeforeEach
  void apart() {
    before = System.setProperty(Certificates.FOLDER, folder.toString());
  }

  @AfterEach
  void back() {
    if (before == null) {
      System.clearProperty(Certificates.FOLDER);
    } else {
      System.setProperty(Certificates.FOLDER, before);
    }
  }

  @Test
  void threadsThatAskAtTheSameTimeGetTheSame() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<Certificate> ask = () -> Certificates.get("ec-256").getCertificate("server");
      List<Callable<Certificate>> four = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        four.add(ask);
      }
      Set<Certificate> found = new HashSet<>();
      for (Future<Certificate> one : threads.invokeAll(four)) {
        found.add(one.get());
      }
      assertEquals(1, found.size());
    } finally {
      threads.shutdown();
    }
  }
}
