package org.avm4j;

import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** Files of all versions of the format; see the README.md beside them. */
class FixturesTest {
  /** The files of one folder. */
  abstract static class Frozen extends FixtureContract {
    private final String name;
    private final int version;

    Frozen(String name, int version) {
      this.name = name;
      this.version = version;
    }

    @Override
    protected Path folder() {
      return Path.of("src/test/resources/fixtures").resolve(name);
    }

    @Override
    protected int version() {
      return version;
    }
  }

  @Nested
  class VersionOne extends Frozen {
    VersionOne() {
      super("v1", 1);
    }
  }

  @Nested
  class VersionTwo extends Frozen {
    VersionTwo() {
      super("v2", 2);
    }
  }

  /** Several memories came later than the other kinds of version two. */
  @Nested
  class Memories extends Frozen {
    Memories() {
      super("v2-memories", 2);
    }
  }

  /** With a forest of decision trees, which the memories before did not have. */
  @Nested
  class MemoriesWithForest extends Frozen {
    MemoriesWithForest() {
      super("v2-forest", 2);
    }
  }
}
