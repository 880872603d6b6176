package jcarerun.probe;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

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
