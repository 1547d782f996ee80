package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The public API of a module is on record: extend this and name one of its classes. A change shows
 * as a difference of {@code src/test/resources/api.txt}, which {@code -Dapi.update=true} writes
 * anew and a reviewer reads.
 */
public abstract class PublicApiContract {
  private static final Path FILE = Path.of("src/test/resources/api.txt");

  private final Class<?> inside;

  /** The API of the module that this class belongs to. */
  protected PublicApiContract(Class<?> inside) {
    this.inside = inside;
  }

  @Test
  void thePublicApiIsTheOneOnRecord() throws IOException, URISyntaxException {
    Path classes = Path.of(inside.getProtectionDomain().getCodeSource().getLocation().toURI());
    String found = new PublicApi(classes).text();
    if (Boolean.getBoolean("api.update")) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, found);
    }
    assertThat(found.lines()).containsExactlyElementsOf(Files.readAllLines(FILE));
  }
}
