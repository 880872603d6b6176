/**
 * What lies between a round and what it measures: clocks and observations inside a fork's JVM, and what a workload
 * says of itself. Rounds and workloads both use it, and neither uses the other.
 */
package jcarerun.probe;
