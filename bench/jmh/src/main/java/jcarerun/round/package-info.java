/** Runs the forks of a round and keeps every iteration of them. Needs nothing but a JDK or JRE from 8 on. */
package jcarerun.round;
