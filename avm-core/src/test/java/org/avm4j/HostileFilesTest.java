package org.avm4j;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** All kinds of files of the core but automatic mode, damaged and forged. */
@Tag("slow")
class HostileFilesTest {
  @Nested
  class OfThisVersion extends HostileContract {
    @Override
    protected Map<String, byte[]> files() {
      return HostileFiles.all();
    }
  }

  /** Content without sections, where a wrong count makes all that follows another thing. */
  @Nested
  class OfVersionOne extends HostileContract {
    @Override
    protected Map<String, byte[]> files() {
      Map<String, byte[]> files = new LinkedHashMap<>();
      for (String name :
          List.of(
              "learner-binary-sgd-merge",
              "learner-binary-sgd-merged",
              "learner-multiclass-newton-merge",
              "learner-regression-newton-auto",
              "model-multiclass-batch",
              "anomaly-sparse",
              "pipeline-anomaly",
              "pipeline-avm-binary-calibrated",
              "pipeline-model-binary")) {
        files.put(name, read(Path.of("src/test/resources/fixtures/v1", name + ".avm")));
      }
      return files;
    }

    @Override
    protected int mutations() {
      return 1000;
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }
}
