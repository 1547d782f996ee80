package org.avm4j.lab.baseline;

import java.nio.file.Path;
import org.avm4j.FixtureContract;
import org.junit.jupiter.api.Nested;

/** Files of baselines in each format are read bit for bit, for ever. */
class BaselineFixturesTest {
  @Nested
  class VersionOne extends FixtureContract {
    @Override
    protected Path folder() {
      return Path.of("src", "test", "resources", "fixtures", "v1");
    }

    @Override
    protected int version() {
      return 1;
    }
  }

  @Nested
  class VersionTwo extends FixtureContract {
    @Override
    protected Path folder() {
      return Path.of("src", "test", "resources", "fixtures", "v2");
    }

    @Override
    protected int version() {
      return 2;
    }
  }
}
