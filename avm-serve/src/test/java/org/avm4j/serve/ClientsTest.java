package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clients for Python and JavaScript: a tour through each of them uses every operation of the
 * description but streams, the pages of health and the Open Inference Protocol, and no other.
 */
@Timeout(300)
class ClientsTest {
  private static final Path CLIENTS = Path.of("clients").toAbsolutePath();
  private static final Set<String> LEFT_OUT = Set.of("/v1/models/{name}/events", "/v1/events");

  @TempDir Path folder;

  @Test
  void theClientForPythonUsesEveryOperation() throws Exception {
    assumeTrue(runs("python3", "--version"), "python3 is not installed");
    tour("python3", "-B", CLIENTS.resolve("tour.py").toString());
  }

  @Test
  void theClientForJavaScriptUsesEveryOperation() throws Exception {
    assumeTrue(runs("node", "--version"), "node is not installed");
    tour("node", CLIENTS.resolve("tour.mjs").toString());
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  private void tour(String... command) throws Exception {
    try (Service service = new Service(folder, options -> options.withRequestLog(true))) {
      String[] all = Arrays.copyOf(command, command.length + 1);
      all[command.length] = service.server.uri().toString();
      Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(output).isEqualTo("done");
      assertThat(process.waitFor()).isZero();
      assertThat(used(service)).isEqualTo(described(service));
    }
  }

  private static Set<String> used(Service service) {
    return service.log.stream()
        .map(line -> JsonValues.object(line.getBytes(StandardCharsets.UTF_8)))
        .filter(line -> "request".equals(line.get("event")))
        .map(
            line ->
                line.get("method")
                    + " "
                    + line.get("path").toString().replaceAll("/(tour|copy|none)(?=/|$)", "/{name}"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> described(Service service) {
    Set<String> all = new TreeSet<>();
    Map<?, ?> paths = (Map<?, ?>) service.get("/openapi.json").json().get("paths");
    paths.forEach(
        (path, operations) ->
            ((Map<?, ?>) operations)
                .keySet()
                .forEach(
                    method -> all.add(method.toString().toUpperCase(Locale.ROOT) + " " + path)));
    all.removeIf(
        each -> each.contains(" /v2") || LEFT_OUT.contains(each.substring(each.indexOf(' ') + 1)));
    return all;
  }
}
