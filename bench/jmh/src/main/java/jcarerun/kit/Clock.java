package jcarerun.kit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as people and records have them. */
final class Clock {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Clock() {}

  /** UTC, ISO 8601, to the millisecond. */
  static String now() {
    return FORMAT.format(Instant.now());
  }

  /** 95 as {@code 1:35 min}, 4000 as {@code 1:06 h}. */
  static String words(double seconds) {
    long whole = Math.round(seconds);
    return whole < 3600 ? String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d:%02d h", whole / 3600, whole % 3600 / 60);
  }
}
