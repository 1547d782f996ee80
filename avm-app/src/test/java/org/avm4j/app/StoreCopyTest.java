package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.avm4j.serve.AvmServer;
import org.avm4j.serve.ServeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exit codes of {@code avm serve --backup} and {@code --repair}. */
class StoreCopyTest {
  @TempDir Path folder;

  private Shell.Result serve(String... words) {
    Path store = folder.resolve("store");
    String[] all = new String[words.length + 3];
    all[0] = "serve";
    all[1] = "--data";
    all[2] = store.toString();
    System.arraycopy(words, 0, all, 3, words.length);
    return Shell.run(all);
  }

  @Test
  void aCopyThatCannotBeCreatedIsToldAsSuch() throws IOException {
    Path copy = Files.writeString(folder.resolve("copy.db"), "other");
    try (AvmServer server =
        AvmServer.start(ServeOptions.of(folder.resolve("store")).withPort(0), line -> {})) {
      assertThat(server.uri()).isNotNull();
      Shell.Result exists = serve("--backup", copy.toString());
      assertThat(exists.code()).isEqualTo(73);
      assertThat(exists.err()).isEqualTo("avm: " + copy + ": exists already\n");
      assertThat(copy).hasContent("other");
      Shell.Result used = serve("--repair");
      assertThat(used.code()).isEqualTo(73);
      assertThat(used.err()).contains("another avm serve is using this folder");
    }
  }

  @Test
  void twoActionsAreRefused() {
    Shell.Result both = serve("--backup", folder.resolve("copy.db").toString(), "--repair");
    assertThat(both.code()).isEqualTo(Failure.USAGE);
    assertThat(both.err()).contains("--backup, --repair and --new-token");
  }

  @Test
  void aStoreThatIsNotThereIsAnInput() {
    assertThat(serve("--backup", folder.resolve("copy.db").toString()).code()).isEqualTo(66);
    assertThat(serve("--repair").code()).isEqualTo(66);
  }
}
