package org.avm4j.auto;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.HostileContract;

/** Files of earlier builds that had machines beside a tree, damaged and forged. */
class HostileMemoriesTest extends HostileContract {
  private static final Path FOLDER = Path.of("src/test/resources/fixtures/v2-forest");

  @Override
  protected Map<String, byte[]> files() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (String name : List.of("memories-model-binary", "memories-multiclass")) {
      try {
        files.put(name, Files.readAllBytes(FOLDER.resolve(name + ".avm")));
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
    return files;
  }

  @Override
  protected int mutations() {
    return 300;
  }
}
