/** Benchmarks of the Java Cryptography Architecture (JCA): workloads, providers, and the runner of a round. */
package jcarerun;
