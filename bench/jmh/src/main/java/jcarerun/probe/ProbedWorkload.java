package jcarerun.probe;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Field;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Map;
import org.openjdk.jmh.annotations.Param;

/**
 * A workload whose provider a round asks what it offers before anything is timed: what it lacks is marked, and one
 * whose answer differs from the other providers' is reported and not timed.
 */
public interface ProbedWorkload {
  /** Prepares and verifies; throws {@link WrongAnswer} for a wrong result, anything else for one that can't be had. */
  void setUp() throws IOException;

  /** What must be the same in every provider: its result, or what shows it; empty where chance has a part. */
  byte[] answer() throws GeneralSecurityException;

  /** Whether the operation's own result is the same each time, in native code too; known from the parameters alone. */
  boolean isRepeatable();

  /** Removes what {@link #setUp} left. */
  void tearDown() throws IOException;

  /** A workload with its parameters, see {@link #make}. */
  static ProbedWorkload of(String type, Map<String, String> parameters) throws ReflectiveOperationException {
    return make(Class.forName(type).asSubclass(ProbedWorkload.class), parameters);
  }

  /** A workload with its parameters, which are public fields; one that isn't given has its default, as JMH has it. */
  static <T> T make(Class<T> type, Map<String, String> parameters) throws ReflectiveOperationException {
    T workload = type.getConstructor().newInstance();
    for (Field field : type.getFields()) {
      Param defaults = field.getAnnotation(Param.class);
      if (defaults != null) {
        field.set(workload, value(field.getType(), parameters.getOrDefault(field.getName(), defaults.value()[0])));
      }
    }
    return workload;
  }

  /** A parameter's value as its field has it: a number, one of an enum's constants, a text. */
  static Object value(Class<?> type, String text) {
    if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) {
        if (constant.toString().equals(text)) {
          return constant;
        }
      }
      throw new IllegalArgumentException(text + " is none of " + Arrays.toString(type.getEnumConstants()));
    }
    return type == int.class ? (Object) Integer.valueOf(text) : text;
  }

  /** A benchmark that native programs have too: the operation's name on their command line (bench/native/README.md). */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.METHOD)
  @interface NativeOperation {
    /** What follows {@code --operation}. */
    String value();

    /** Parameters that must have these values, {@code name=value}, and that the program isn't told. */
    String[] given() default {};

    /** Whether a program is asked this one what it offers, on behalf of the workload's others too. */
    boolean answers() default true;
  }

  /** An operation gave something other than what it must; the message names algorithm, provider and difference. */
  final class WrongAnswer extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** With the whole message. */
    public WrongAnswer(String message) {
      super(message);
    }
  }

  /**
   * A workload whose worker talks to threads or processes of its own: a server, a proxy. Each of their answers may take
   * the CPU from the worker, so that involuntary switches belong to the operation and don't tell a disturbance.
   */
  interface SharesItsCpus {}
}
