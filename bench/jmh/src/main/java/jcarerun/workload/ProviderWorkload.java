package jcarerun.workload;

import java.security.GeneralSecurityException;
import jcarerun.probe.ProbedWorkload;

/** Base of the workloads that compare providers: inputs are the same in each, and so is what many of them give. */
public abstract class ProviderWorkload extends Workload implements ProbedWorkload {
  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public byte[] answer() throws GeneralSecurityException {
    return new byte[0];
  }
}
