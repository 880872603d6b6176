package jcarerun.probe;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a workload observes besides the time that JMH measures: parts of an operation, counts, sizes.
 *
 * <p>A workload adds values by name while an iteration ends; {@link IterationLog} takes them and appends them to the
 * file that the system property {@code jcarerun.observations} names, with the fork's and the iteration's number.
 * Without the property (a plain {@code java -jar benchmarks.jar}) they are dropped. The columns are {@link #HEADER};
 * data/README.md says what they mean.
 */
public final class Observations {
  /** Names of the columns. The first fork that observes anything writes them. */
  public static final String HEADER = "fork,iteration,measure,value";

  /** Thousandths of a number. */
  private static final int SCALE = 1000;
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]*");
  /** Those that were found right. */
  private static final Set<String> NAMES = new HashSet<>();
  private static final List<String> PENDING = new ArrayList<>();

  private Observations() {}

  /**
   * Adds a number.
   *
   * @param measure its name: letters, digits, dots and hyphens
   * @param value a finite number, written with three decimals
   */
  public static void add(String measure, double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("observation " + measure + " must be finite, is " + value);
    }
    put(measure, shortened(value));
  }

  /**
   * Adds counts that belong together, such as those of the 256 byte values; written with semicolons between them, and
   * one after a single count.
   */
  public static void counts(String measure, long[] counts) {
    String text = Arrays.stream(counts).mapToObj(Long::toString).collect(Collectors.joining(";"));
    put(measure, counts.length == 1 ? text + ";" : text);
  }

  private static synchronized void put(String measure, String value) {
    if (!NAMES.contains(measure) && !NAME.matcher(measure).matches()) {
      throw new IllegalArgumentException("measure must be small letters, digits, dots, hyphens; is " + measure);
    }
    NAMES.add(measure);
    PENDING.add(measure + ',' + value);
  }

  /** Throws IllegalStateException for an observation that a workload's class doesn't declare with {@link Measures}. */
  public static synchronized void check(Class<?> workload) {
    Measures declared = workload.getAnnotation(Measures.class);
    for (String row : PENDING) {
      String measure = row.substring(0, row.indexOf(','));
      if (declared == null || Arrays.stream(declared.value()).noneMatch(name -> matches(name, measure))) {
        throw new IllegalStateException(
            workload.getSimpleName().replaceFirst("_.*", "") + " observes " + measure + "; its @Measures must name it");
      }
    }
  }

  private static boolean matches(String declared, String measure) {
    return declared.endsWith("*") ? measure.startsWith(declared.substring(0, declared.length() - 1))
        : measure.equals(declared);
  }

  /**
   * Appends a finite number, rounded half up, with three decimals always. {@code String.format} takes some hundred
   * microseconds in a JVM that has just started, and a fork of single shots writes several numbers after each.
   */
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

  /** Hands over {@code measure,value} of all that was added since the last call, and forgets it. */
  public static synchronized List<String> take() {
    List<String> taken = new ArrayList<>(PENDING);
    PENDING.clear();
    return taken;
  }

  /**
   * What a workload observes besides time: every name that it gives to {@link Observations}. One that isn't declared
   * fails the iteration.
   */
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  public @interface Measures {
    /** Names of measures, as in observations.csv; one that ends with {@code *} stands for all that begin so. */
    String[] value();
  }
}
