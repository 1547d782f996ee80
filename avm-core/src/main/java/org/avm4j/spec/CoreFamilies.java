package org.avm4j.spec;

import java.util.List;

/** The learners of this library, for the service loader. */
public final class CoreFamilies implements LearnerProvider {
  /** For the service loader. */
  public CoreFamilies() {}

  @Override
  public List<LearnerFamily> families() {
    return List.of(new AvmFamily(), new TreeFamily(), new AnomalyFamily(), new ClusterFamily());
  }
}
