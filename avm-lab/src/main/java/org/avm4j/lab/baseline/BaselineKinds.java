package org.avm4j.lab.baseline;

import java.util.List;
import org.avm4j.Kind;
import org.avm4j.KindProvider;

/** The kinds of files that hold baselines. */
public final class BaselineKinds implements KindProvider {
  /** For the service loader. */
  public BaselineKinds() {}

  @Override
  public List<Kind> kinds() {
    return Baselines.kinds();
  }
}
