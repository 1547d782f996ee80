package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.avm4j.serve.AvmServer;
import org.avm4j.serve.Role;
import org.avm4j.serve.ServeOptions;
import org.avm4j.serve.Tokens;
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

  /** A service with tokens, as the manifest has it; probes send none. */
  @Test
  void theProbesAreAnsweredWithoutAToken() throws IOException {
    Matcher paths =
        Pattern.compile("path: (/\\S+)")
            .matcher(Files.readString(DEPLOY.resolve("kubernetes.yaml")));
    int found = 0;
    Path file =
        Files.writeString(
            folder.resolve("tokens"), Tokens.line(Role.ADMIN, Tokens.generate()) + "\n");
    ServeOptions options = ServeOptions.of(folder.resolve("data")).withPort(0);
    try (AvmServer server =
        AvmServer.start(options.withHost("127.0.0.1", Tokens.load(file)), line -> {})) {
      server.awaitReady();
      for (; paths.find(); found++) {
        HttpURLConnection probe =
            (HttpURLConnection) server.uri().resolve(paths.group(1)).toURL().openConnection();
        assertThat(probe.getResponseCode()).as(paths.group(1)).isEqualTo(200);
      }
    }
    assertThat(found).isEqualTo(2);
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
        Files.readString(DEPLOY.resolve("avm-serve.service"))
            .replace("/opt/avm/bin/avm", "/bin/true");
    Path file = Files.writeString(folder.resolve("avm-serve.service"), unit);
    assertThat(run("systemd-analyze", "verify", file.toString())).isZero();
    Files.writeString(file, unit.replace("Restart=on-failure", "Restart=on-bad-weather"));
    assertThat(output("systemd-analyze", "verify", file.toString())).contains("on-bad-weather");
    for (int code : List.of(Failure.USAGE, Failure.BAD_DATA, Failure.CANNOT_CREATE)) {
      assertThat(unit).containsPattern("RestartPreventExitStatus=.*\\b" + code + "\\b");
    }
  }

  /** The layout is checked here; {@code .ci/image-check} runs the image of a real distribution. */
  @Test
  void anImageRunsAsItsOwnUserAndItsDigestsAreRight() throws Exception {
    assumeTrue(run("ldd", "--version") == 0, "ldd is not installed");
    assumeTrue(run("unzip", "-v") == 0, "unzip is not installed");
    Path home = Files.createDirectories(folder.resolve("avm-1.0-linux-x86_64/runtime/bin"));
    Files.copy(Path.of("/bin/true"), home.resolve("java"));
    Path lib = Files.createDirectories(folder.resolve("avm-1.0-linux-x86_64/lib"));
    Files.createDirectories(home.resolveSibling("lib"));
    Path inside = Path.of("/bin/ls"); // needs libraries that the runtime does not load
    try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(lib.resolve("avm.jar")))) {
      jar.putNextEntry(new ZipEntry("native/inside.so"));
      Files.copy(inside, jar);
    }
    Path archive = folder.resolve("avm-1.0-linux-x86_64.tar.gz");
    output("tar", "-czf", "" + archive, "-C", "" + folder, "avm-1.0-linux-x86_64");
    Path image = folder.resolve("image.tar");
    String said = output("bash", "" + DEPLOY.resolve("image"), "" + archive, "" + image);
    assertThat(said).contains("sha256:");
    Path oci = Files.createDirectory(folder.resolve("oci"));
    output("tar", "-xf", "" + image, "-C", "" + oci);

    try (Stream<Path> blobs = Files.list(oci.resolve("blobs/sha256"))) {
      List<Path> all = blobs.toList();
      assertThat(all).hasSize(5);
      for (Path blob : all) {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(blob));
        assertThat(blob.getFileName()).hasToString(HexFormat.of().formatHex(digest));
      }
    }
    String manifest = blob(oci, Files.readString(oci.resolve("index.json")));
    String config = blob(oci, manifest);
    assertThat(config)
        .contains("\"User\":\"10001:10001\"", "\"Volumes\":{\"/var/lib/avm\":{}}")
        .contains("\"org.opencontainers.image.version\":\"1.0\"");
    Matcher layers = Pattern.compile("tar\\+gzip\",\"digest\":\"sha256:(\\w+)").matcher(manifest);
    StringBuilder files = new StringBuilder();
    while (layers.find()) {
      Path layer = oci.resolve("blobs/sha256").resolve(layers.group(1));
      files.append(output("tar", "--numeric-owner", "-tvzf", layer.toString()));
    }
    assertThat(files)
        .containsPattern("drwx------ 10001/10001 .* var/lib/avm/")
        .containsPattern("-rw-r--r-- 0/0 .* \\./opt/avm/lib/avm\\.jar")
        .containsPattern("/libc\\.so");
    Matcher needed = Pattern.compile("=> (/\\S+)").matcher(output("ldd", "" + inside));
    while (needed.find()) {
      assertThat(files).contains(needed.group(1));
    }
    assertThat(Files.readString(DEPLOY.resolve("kubernetes.yaml"))).contains("runAsUser: 10001");
  }

  /** The blob whose digest a document names first. */
  private static String blob(Path oci, String document) throws IOException {
    Matcher digest = Pattern.compile("sha256:(\\w+)").matcher(document);
    assertThat(digest.find()).isTrue();
    return Files.readString(oci.resolve("blobs/sha256").resolve(digest.group(1)));
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
