package jcarerun.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Pages and work of a site. */
class SiteTest {
  @Test
  void aPageHasItsLengthAndIsGoneWithItsSite() throws Exception {
    Site site = new Site(4096, Site.waiting(0));
    assertEquals(4096, Files.size(site.folder.resolve("page")));
    assertEquals("measured\nmeas", Site.page(13));
    site.close();
    assertFalse(Files.exists(site.folder));
    assertThrows(IllegalArgumentException.class, () -> Site.page(0));
  }

  @Test
  void workTakesItsTimeOrItsThreadsCpuTime() {
    long start = System.nanoTime();
    Site.waiting(20).run();
    assertTrue(System.nanoTime() - start >= 20_000_000L);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long cpu = threads.getCurrentThreadCpuTime();
    Site.computing(5000).run();
    assertTrue(threads.getCurrentThreadCpuTime() - cpu >= 5_000_000L);
  }

  /** What both Jettys' handlers look like from here. */
  interface Handler {
    int handle(int request);

    Kind getInvocationType();

    /** Jetty's own. */
    enum Kind { BLOCKING, NON_BLOCKING }
  }

  @Test
  void theWorkComesBeforeTheHandlingAndMayBlock() throws Exception {
    StringBuilder seen = new StringBuilder();
    Handler own = new Handler() {
      @Override
      public int handle(int request) {
        if (request < 0) {
          throw new IllegalStateException("below 0");
        }
        seen.append("handled");
        return request + 1;
      }

      @Override
      public Kind getInvocationType() {
        return Kind.NON_BLOCKING;
      }
    };
    try (Site site = new Site(9, () -> seen.append("worked, "))) {
      Handler working = (Handler) site.working(Handler.class, own);
      assertEquals(Handler.Kind.BLOCKING, working.getInvocationType());
      assertEquals(8, working.handle(7));
      assertEquals("worked, handled", seen.toString());
      assertEquals("below 0", assertThrows(IllegalStateException.class, () -> working.handle(-1)).getMessage());
    }
  }
}
