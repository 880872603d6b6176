/** JMH benchmarks, one idea per class. Each checks its operation for correctness before it is timed. */
package jcarerun.workload;
