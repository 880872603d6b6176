package jcarerun.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals write a number as its column has it. */
class DecimalsTest {
  @ParameterizedTest
  @CsvSource({"0, 0.000", "1.5, 1.500", "-1.25, -1.250", "0.0625, 0.063", "-0.002, -0.002",
      "12345678.9996, 12345679.000"})
  void aNumberHasThreeDecimals(double value, String expected) {
    StringBuilder text = new StringBuilder();
    Decimals.append(text, value);
    assertEquals(expected, text.toString());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "100, 100", "1.5, 1.5", "-0.020, -0.02", "0.0004, 0"})
  void aShortenedNumberHasNoZerosAtItsEnd(double value, String expected) {
    assertEquals(expected, Decimals.shortened(value));
  }

  @Test
  void aNumberReadBackIsWithinHalfAThousandth() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(9));
      StringBuilder text = new StringBuilder();
      Decimals.append(text, value);
      assertEquals(value, Double.parseDouble(text.toString()), 0.0005 + 1e-9,
          () -> String.format(Locale.ROOT, "%s", value));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, 1e17})
  void whatHasNoThousandthsIsRefused(double value) {
    assertThrows(IllegalArgumentException.class, () -> Decimals.shortened(value));
  }
}
