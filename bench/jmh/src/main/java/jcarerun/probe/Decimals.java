package jcarerun.probe;

/**
 * Writes numbers with three decimals. {@code String.format} takes some hundred microseconds in a JVM that has just
 * started, and a fork of single shots writes several numbers after each.
 */
final class Decimals {
  private static final int SCALE = 1000;

  private Decimals() {}

  /** Appends a finite number, rounded half up, with three decimals always. */
  static void append(StringBuilder text, double value) {
    long thousandths = thousandths(value);
    long digits = Math.abs(thousandths);
    text.append(thousandths < 0 ? "-" : "").append(digits / SCALE).append('.');
    String decimals = Long.toString(SCALE + digits % SCALE);
    text.append(decimals, 1, decimals.length());
  }

  /** A finite number with at most three decimals, without zeros at its end. */
  static String shortened(double value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    text.setLength(text.charAt(end - 1) == '.' ? end - 1 : end);
    return text.toString();
  }

  private static long thousandths(double value) {
    double scaled = value * SCALE;
    if (!(Math.abs(scaled) < Long.MAX_VALUE)) {
      throw new IllegalArgumentException(value + " can't be written with three decimals");
    }
    return Math.round(scaled);
  }
}
