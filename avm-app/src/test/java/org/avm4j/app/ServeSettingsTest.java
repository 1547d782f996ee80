package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class ServeSettingsTest {
  @TempDir Path folder;

  private static ServeCommand configured(Map<String, String> environment, String... args)
      throws IOException {
    ServeCommand given = new ServeCommand();
    new CommandLine(given).parseArgs(args);
    return new ServeSettings(given, environment).configured();
  }

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("serve.conf"), List.of(lines));
  }

  @Test
  void theCommandLineComesBeforeTheEnvironmentAndThatBeforeTheFile() throws IOException {
    Path file =
        file("# a service", "", "data = /srv/avm", "port=1", "max-body = 3", "log-requests = true");
    ServeCommand command =
        configured(
            Map.of("AVM_SERVE_PORT", "2", "AVM_SERVE_MAX_BODY", "4", "PATH", "/bin"),
            "--config=" + file,
            "--max-body=5");
    assertThat(command.data).isEqualTo(Path.of("/srv/avm"));
    assertThat(command.port).isEqualTo(2);
    assertThat(command.maxBody).isEqualTo(5);
    assertThat(command.logRequests).isTrue();
    assertThat(command.headTimeout).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void theDocumentationHasATableOfAllKeys() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "operations.md"));
    Map<String, String> documented = new TreeMap<>();
    Pattern.compile("(?m)^\\| `([a-z-]+)` \\| `AVM_SERVE_([A-Z_]+)` \\| (.*?) \\|")
        .matcher(page)
        .results()
        .forEach(
            row -> {
              assertThat(row.group(2).toLowerCase(Locale.ROOT).replace('_', '-'))
                  .isEqualTo(row.group(1));
              documented.put(row.group(1), row.group(3));
            });
    assertThatThrownBy(() -> configured(Map.of("AVM_SERVE_X", "")))
        .hasMessageContaining("expected one of " + documented.keySet());
    for (OptionSpec option : new CommandLine(new ServeCommand()).getCommandSpec().options()) {
      String known = documented.get(option.longestName().substring(2));
      if (known != null && option.defaultValue() != null) {
        assertThat(known).as(option.longestName()).isEqualTo(option.defaultValue());
      }
    }
  }

  @Test
  void theFileMayBeNamedByAVariable() throws IOException {
    Path file = file("head-timeout = 3s");
    ServeCommand command = configured(Map.of("AVM_SERVE_CONFIG", file.toString()), "--port=7");
    assertThat(command.headTimeout).isEqualTo(Duration.ofSeconds(3));
    assertThat(command.port).isEqualTo(7);
  }

  @Test
  void aKeyThatIsRepeatedIsRefusedWithBothLines() throws IOException {
    Path file = file("max-body = 1", "# the same again", "max-body = 64");
    assertThatThrownBy(() -> configured(Map.of(), "--config=" + file))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("serve.conf: lines 1 and 3 both set 'max-body'");
  }

  @Test
  void unknownKeysAndBadValuesAreRefusedWithTheirPlace() throws IOException {
    Path file = file("data = x", "prot = 80");
    assertThatThrownBy(() -> configured(Map.of(), "--config=" + file))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("serve.conf:2: unknown key 'prot'");
    assertThatThrownBy(() -> configured(Map.of("AVM_SERVE_DATTA", "x")))
        .hasMessageContaining("the environment variable AVM_SERVE_DATTA: unknown key 'datta'");
    Path bad = file("keep-rows = soon");
    assertThatThrownBy(() -> configured(Map.of(), "--config=" + bad))
        .hasMessageContaining("serve.conf:1: keep-rows:")
        .hasMessageContaining("soon");
    Path action = file("repair = true");
    assertThatThrownBy(() -> configured(Map.of(), "--config=" + action))
        .hasMessageContaining("unknown key 'repair'");
    Path odd = file("just words");
    assertThatThrownBy(() -> configured(Map.of(), "--config=" + odd))
        .hasMessageContaining("serve.conf:1: expected KEY = VALUE");
  }

  @Test
  void aFileThatAnEditorHasChangedIsReadOrItsNameIsTold() throws IOException {
    Path marked = file("\ufeffport = 7\r", "max-body = 3\r");
    assertThat(configured(Map.of(), "--config=" + marked).port).isEqualTo(7);
    Path latin = Files.write(folder.resolve("latin.conf"), new byte[] {'#', (byte) 0xe9});
    assertThatThrownBy(() -> configured(Map.of(), "--config=" + latin))
        .hasMessage(latin + ": expected text in UTF-8");
    assertThatThrownBy(() -> configured(Map.of(), "--config=" + folder))
        .hasMessage(folder + ": is a folder, expected a file");
  }

  /** A Service called avm-serve makes variables that begin like those of the settings. */
  @Test
  void variablesOfKubernetesAreNoSettings() throws IOException {
    Map<String, String> links = new HashMap<>();
    for (String service : List.of("AVM_SERVE", "AVM_SERVE_TEST")) {
      links.put(service + "_SERVICE_HOST", "10.96.7.1");
      links.put(service + "_SERVICE_PORT", "80");
      links.put(service + "_SERVICE_PORT_HTTP", "80");
      links.put(service + "_PORT", "tcp://10.96.7.1:80");
      links.put(service + "_PORT_80_TCP", "tcp://10.96.7.1:80");
      links.put(service + "_PORT_80_TCP_PROTO", "tcp");
      links.put(service + "_PORT_80_TCP_PORT", "80");
      links.put(service + "_PORT_80_TCP_ADDR", "10.96.7.1");
    }
    Path file = file("port = 8123");
    assertThat(configured(links, "--config=" + file).port).isEqualTo(8123);
    links.put("AVM_SERVE_PORT", "8124");
    assertThat(configured(links, "--config=" + file).port).isEqualTo(8124);
    assertThat(Files.readString(Path.of("..", "avm-serve", "deploy", "kubernetes.yaml")))
        .contains("enableServiceLinks: false");
  }
}
