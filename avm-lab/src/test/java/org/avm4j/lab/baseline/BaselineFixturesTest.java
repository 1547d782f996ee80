package org.avm4j.lab.baseline;

import java.nio.file.Path;
import org.avm4j.FixtureContract;

/** Files of baselines in format 1 are read bit for bit, for ever. */
class BaselineFixturesTest extends FixtureContract {
  @Override
  protected Path folder() {
    return Path.of("src", "test", "resources", "fixtures", "v1");
  }

  @Override
  protected int version() {
    return 1;
  }
}
