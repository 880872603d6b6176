package jcarerun.probe;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Map;

/**
 * A workload whose provider a round asks what it offers before anything is timed: what it lacks is marked, and one
 * whose answer differs from the other providers' is reported and not timed.
 */
public interface Offering {
  /** Prepares and verifies; throws {@link WrongAnswer} for a wrong result, anything else for one that can't be had. */
  void setUp() throws IOException;

  /** What must be the same in every provider: its result, or what shows it; empty where chance has a part. */
  byte[] answer() throws GeneralSecurityException;

  /** Whether the operation's own result is the same each time, in native code too; known from the parameters alone. */
  boolean isRepeatable();

  /** Removes what {@link #setUp} left. */
  void tearDown() throws IOException;

  /** Whether a class is that of a workload to be asked. */
  static boolean is(String type) {
    try {
      return Offering.class.isAssignableFrom(Class.forName(type, false, Offering.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * A workload with its parameters, which are public fields.
   *
   * @param type name of its class
   */
  static Offering of(String type, Map<String, String> parameters) throws ReflectiveOperationException {
    Offering workload = (Offering) Class.forName(type).getConstructor().newInstance();
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      java.lang.reflect.Field field = workload.getClass().getField(parameter.getKey());
      String value = parameter.getValue();
      field.set(workload, field.getType() == int.class ? (Object) Integer.valueOf(value) : value);
    }
    return workload;
  }
}
