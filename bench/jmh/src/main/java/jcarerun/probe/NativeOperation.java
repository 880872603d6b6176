package jcarerun.probe;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A benchmark that native programs have too: the operation's name on their command line (bench/native/README.md). */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface NativeOperation {
  /** What follows {@code --operation}. */
  String value();

  /** Parameters that must have these values, {@code name=value}, and that the program isn't told. */
  String[] given() default {};

  /** Whether a program is asked this one what it offers, on behalf of the workload's others too. */
  boolean answers() default true;
}
