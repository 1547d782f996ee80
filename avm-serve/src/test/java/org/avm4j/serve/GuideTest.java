package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/serve.md do what the page says. */
class GuideTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("```sh\\n(.*?)```(?:\\n```json\\n(.*?)\\n```)?", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void everyExampleWorksInItsOrder() throws Exception {
    assumeTrue(run("command -v curl", "").status == 0, "curl is not installed");
    String guide = Files.readString(Path.of("..", "docs", "serve.md"));
    int examples = 0;
    try (Service service = new Service(folder.resolve("data"))) {
      String host = "localhost:" + service.server.uri().getPort();
      for (Matcher found = EXAMPLE.matcher(guide); found.find(); examples++) {
        Result result = run(found.group(1), host);
        assertThat(result.status).as(found.group(1)).isZero();
        if (found.group(2) != null) {
          assertThat(result.output.strip()).isEqualTo(found.group(2));
        }
      }
    }
    assertThat(examples).isGreaterThan(8);
  }

  private record Result(int status, String output) {}

  private Result run(String commands, String host) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-ec", commands.replace("localhost:8080", host))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }
}
