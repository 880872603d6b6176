package jcarerun.probe;

/**
 * A workload whose worker talks to threads or processes of its own: a server, a proxy. Each of their answers may take
 * the CPU from the worker, so that involuntary switches belong to the operation and don't tell a disturbance.
 */
public interface SharesItsCpus {}
