package jcarerun.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Bins of latencies. */
class LatenciesTest {
  @Test
  void binsGrowBySixteenthsOfADoubling() {
    assertEquals(0, Latencies.bin(0));
    assertEquals(0, Latencies.bin(1000));
    assertEquals(1, Latencies.bin(1001));
    assertEquals(16, Latencies.bin(2000));
    assertEquals(17, Latencies.bin(2001));
    assertEquals(160, Latencies.bin(1_024_000));
    assertEquals(Latencies.BINS - 1, Latencies.bin(Long.MAX_VALUE));
  }

  @Test
  void noTimeIsLost() {
    Latencies one = new Latencies();
    Latencies two = new Latencies();
    for (long ns = 1; ns < 1L << 40; ns *= 3) {
      one.add(ns);
      two.add(ns + 1);
    }
    one.add(two);
    assertEquals(2 * 26, Arrays.stream(one.take()).sum());
    assertEquals(0, Arrays.stream(one.take()).sum());
  }
}
