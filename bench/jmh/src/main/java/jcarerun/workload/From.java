package jcarerun.workload;

/** Where the timed part begins: an object made or initialised before that is made in the set-up. */
public enum From {
  /** With the factory method, so that nothing is ready. */
  getInstance,
  /** With the initialisation of an object that is there. */
  init,
  /** With the operation of an object that is initialised. */
  generate
}
