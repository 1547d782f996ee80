package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.avm4j.serve.AvmServer;
import org.avm4j.serve.ServeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The files of avm-serve/deploy name what there is. */
class DeployTest {
  private static final Path DEPLOY = Path.of("..", "avm-serve", "deploy");

  @TempDir Path folder;

  private ServeCommand configured(Path file) throws IOException {
    ServeCommand given = new ServeCommand();
    new CommandLine(given).parseArgs("--config=" + file);
    return new ServeSettings(given, Map.of()).configured();
  }

  @Test
  void theSettingsAreThoseOfTheService() throws IOException {
    assertThat(configured(DEPLOY.resolve("serve.conf")).data).isEqualTo(Path.of("/var/lib/avm"));
    String manifest = Files.readString(DEPLOY.resolve("kubernetes.yaml"));
    Matcher block = Pattern.compile("serve\\.conf: \\|\\n((?: {4}.*\\n)+)").matcher(manifest);
    assertThat(block.find()).isTrue();
    Path file = Files.writeString(folder.resolve("serve.conf"), block.group(1));
    ServeCommand command = configured(file);
    assertThat(manifest).contains("mountPath: " + command.data, "containerPort: " + command.port);
    assertThat(command.tokens.toString()).startsWith("/etc/avm-tokens/");
  }

  @Test
  void theProbesAreAnswered() throws IOException {
    Matcher paths =
        Pattern.compile("path: (/\\S+)")
            .matcher(Files.readString(DEPLOY.resolve("kubernetes.yaml")));
    int found = 0;
    try (AvmServer server = AvmServer.start(ServeOptions.of(folder).withPort(0), line -> {})) {
      server.awaitReady();
      for (; paths.find(); found++) {
        HttpURLConnection probe =
            (HttpURLConnection) server.uri().resolve(paths.group(1)).toURL().openConnection();
        assertThat(probe.getResponseCode()).as(paths.group(1)).isEqualTo(200);
      }
    }
    assertThat(found).isEqualTo(3);
  }

  @Test
  void aStoreHasOneProcessAndNoRightsBeyondItsVolume() throws IOException {
    assertThat(Files.readString(DEPLOY.resolve("kubernetes.yaml")))
        .contains("replicas: 1", "runAsNonRoot: true", "readOnlyRootFilesystem: true");
  }

  @Test
  void theUnitIsValid() throws Exception {
    assumeTrue(run("systemd-analyze", "--version") == 0, "systemd-analyze is not installed");
    String unit =
        Files.readString(DEPLOY.resolve("avm-serve.service")).replace("/opt/avm/avm", "/bin/true");
    Path file = Files.writeString(folder.resolve("avm-serve.service"), unit);
    assertThat(run("systemd-analyze", "verify", file.toString())).isZero();
    Files.writeString(file, unit.replace("Restart=on-failure", "Restart=on-bad-weather"));
    assertThat(output("systemd-analyze", "verify", file.toString())).contains("on-bad-weather");
    for (int code : List.of(Failure.USAGE, Failure.BAD_DATA, Failure.CANNOT_CREATE)) {
      assertThat(unit).containsPattern("RestartPreventExitStatus=.*\\b" + code + "\\b");
    }
  }

  private static int run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes());
      return process.waitFor() == 0 && !said.contains("avm-serve.service:") ? 0 : 1;
    } catch (IOException absent) {
      return -1;
    }
  }

  private static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes());
  }
}
