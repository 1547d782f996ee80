package org.avm4j.lab.baseline;

import java.util.Arrays;
import java.util.List;
import org.avm4j.spec.LearnerFamily;
import org.avm4j.spec.LearnerProvider;

/** Provides the paper's online baselines as learner families. */
public final class BaselineProvider implements LearnerProvider {
  /** For the service loader. */
  public BaselineProvider() {}

  @Override
  public List<LearnerFamily> families() {
    return Arrays.stream(Method.values()).<LearnerFamily>map(BaselineFamily::new).toList();
  }
}
