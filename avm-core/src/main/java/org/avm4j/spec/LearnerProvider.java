package org.avm4j.spec;

import java.util.List;

/**
 * Makes learners known by name. Providers are found by {@link java.util.ServiceLoader}, so that a
 * plug-in on the class path or module path can add learners of its own. What they save is read back
 * through a {@link org.avm4j.codec.FileKindProvider}.
 */
public interface LearnerProvider {
  /** The learners that this provider knows to make. */
  List<LearnerFamily> families();
}
