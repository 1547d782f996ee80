package org.avm4j;

import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** Files of all versions of the format; see the README.md beside them. */
class FixturesTest {
  @Nested
  class VersionOne extends FixtureContract {
    @Override
    protected Path folder() {
      return Path.of("src/test/resources/fixtures/v1");
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
      return Path.of("src/test/resources/fixtures/v2");
    }

    @Override
    protected int version() {
      return 2;
    }
  }

  /** Several memories came later than the other kinds of version two. */
  @Nested
  class Memories extends FixtureContract {
    @Override
    protected Path folder() {
      return Path.of("src/test/resources/fixtures/v2-memories");
    }

    @Override
    protected int version() {
      return 2;
    }
  }

  /** With a forest of decision trees, which the memories before did not have. */
  @Nested
  class MemoriesWithForest extends FixtureContract {
    @Override
    protected Path folder() {
      return Path.of("src/test/resources/fixtures/v2-forest");
    }

    @Override
    protected int version() {
      return 2;
    }
  }
}
