package org.avm4j.lab.baseline;

import java.util.List;
import org.avm4j.codec.FileKind;
import org.avm4j.codec.FileKindProvider;

/** Provides the file kinds of baselines and their models. */
public final class BaselineKinds implements FileKindProvider {
  /** For the service loader. */
  public BaselineKinds() {}

  @Override
  public List<FileKind> kinds() {
    return Baselines.kinds();
  }
}
