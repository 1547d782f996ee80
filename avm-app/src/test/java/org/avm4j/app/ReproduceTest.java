package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code avm reproduce} and {@code avm data get}, on data that is small. */
class ReproduceTest {
  private static final String SETTINGS =
      """
      data,learner,settings
      board,avm-hinge,gamma=4 nlambda=1
      board,fogd,gamma=4 eta=0.2
      """;

  @TempDir Path folder;
  private HttpServer server;
  private byte[] board;
  private byte[] packed;

  @BeforeEach
  void start() throws Exception {
    Path data = folder.resolve("board.libsvm");
    generate(data, 300);
    board = Files.readAllBytes(data);
    packed = packed(board);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    Files.writeString(folder.resolve("catalogue.ini"), catalogue());
    Files.writeString(folder.resolve("settings.csv"), SETTINGS);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static void generate(Path file, int rows) {
    Shell.Result made =
        Shell.run("data", "generate", "checkerboard", "--rows", "" + rows, "-o", file.toString());
    assertThat(made.code()).as(made.err()).isZero();
  }

  private static byte[] packed(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private String catalogue() throws Exception {
    return """
        [board]
        paper = a9a
        title = a board
        studies = online, batch
        test-share = 0.1
        rows = 300
        features = 2
        classes = 2
        settings = delta=0.4 budget=20 features=40
        source.board = %s
        sha256.board = %s
        rows-sha256.board = %s
        """
        .formatted(url("public/board.gz"), sha256(packed), sha256(board));
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private String url(String path) {
    return "http://localhost:" + server.getAddress().getPort() + "/" + path;
  }

  private void serve(String path, byte[] content, long announced) {
    server.createContext(
        "/" + path,
        exchange -> {
          exchange.sendResponseHeaders(200, announced);
          exchange.getResponseBody().write(content);
          exchange.close();
        });
  }

  private Shell.Result get(Path to, String... more) throws IOException {
    Files.createDirectories(to);
    return Shell.run(
        Stream.concat(
                Stream.of("data", "get", "board", "--data-dir", to.toString(), "--catalogue"),
                Stream.concat(
                    Stream.of(folder.resolve("catalogue.ini").toString()), Stream.of(more)))
            .toArray(String[]::new));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private Shell.Result reproduce(String... words) {
    List<String> all =
        Stream.concat(
                Stream.of(
                    "reproduce",
                    "--catalogue",
                    folder.resolve("catalogue.ini").toString(),
                    "--settings",
                    folder.resolve("settings.csv").toString(),
                    "--data-dir",
                    folder.toString(),
                    "--out",
                    folder.resolve("out").toString(),
                    "--learners",
                    "perceptron,fogd,avm-hinge"),
                Stream.of(words))
            .toList();
    return Shell.run(all.toArray(String[]::new));
  }

  @Test
  void thePlanSaysWhatWillRunAndWhatIsMissing() throws IOException {
    Shell.Result plan = reproduce("online", "--runs", "2", "--plan");
    assertThat(plan.code()).isZero();
    assertThat(plan.out())
        .contains("4 runs  online a board")
        .contains("not run  no settings are recorded for perceptron on board")
        .contains("4 runs at most, about ");
    Files.delete(folder.resolve("board.libsvm"));
    assertThat(reproduce("online", "--plan").out())
        .contains("not run  board is missing: board.libsvm.gz")
        .contains("0 runs at most, nothing to do");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void whatIsDoneIsNotMadeAgain() throws IOException {
    Shell.Result first = reproduce("online", "batch", "--runs", "2", "--threads", "1");
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.err()).contains("online a board".replace("a board", "board AVM-Hinge run 2"));
    String page = Files.readString(folder.resolve("out/README.md"));
    assertThat(page).contains("| AVM-Hinge | 17.46 ± 0.12 | ");
    Shell.Result again = reproduce("online", "batch", "--runs", "2");
    assertThat(again.err()).isEmpty();
    assertThat(again.out()).contains("nothing to do");
    assertThat(Files.readString(folder.resolve("out/README.md"))).isEqualTo(page);
    assertThat(reproduce("online", "--runs", "3", "-q").out()).contains("2 runs at most");
  }

  @Test
  void aKilledCommandGoesOn() throws Exception {
    generate(folder.resolve("board.libsvm"), 30_000);
    Process process =
        new ProcessBuilder(
                Shell.process(
                    "reproduce",
                    "online",
                    "--catalogue=" + folder.resolve("catalogue.ini"),
                    "--settings=" + folder.resolve("settings.csv"),
                    "--data-dir=" + folder,
                    "--out=" + folder.resolve("out"),
                    "--learners=fogd",
                    "--runs=200",
                    "--threads=1"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    Path runs = folder.resolve("out/runs/online/board/fogd");
    for (int i = 0; i < 600 && !(Files.isDirectory(runs) && files(runs).size() > 3); i++) {
      assertThat(process.waitFor(100, TimeUnit.MILLISECONDS)).as("ended by itself").isFalse();
    }
    process.destroyForcibly().waitFor();
    long done = files(runs).stream().filter(file -> file.toString().endsWith(".txt")).count();
    assertThat(done).isPositive();
    String plan = reproduce("online", "--runs", "200", "--plan").out();
    assertThat(plan).contains((400 - done) + " runs at most");
  }

  @Test
  void wrongWordsAreRefusedInASentence() {
    assertThat(reproduce("sideways").err()).contains("a study must be one of batch, online");
    assertThat(reproduce("online", "--learners=avm").err()).contains("a learner must be one of");
    assertThat(reproduce("online", "--datasets", "a8a").code()).isEqualTo(Failure.USAGE);
    assertThat(reproduce("online", "--runs", "0").code()).isEqualTo(Failure.USAGE);
  }

  @Test
  void aPublicFileIsCheckedAndPrepared() throws IOException {
    serve("public/board.gz", packed, packed.length);
    Path to = folder.resolve("fetched");
    Shell.Result result = get(to);
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(files(to)).containsExactly(to.resolve("board.libsvm.gz"));
    try (GZIPInputStream in =
        new GZIPInputStream(Files.newInputStream(to.resolve("board.libsvm.gz")))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(new String(board, StandardCharsets.UTF_8));
    }
    assertThat(get(to).out()).contains("board: exists already");
  }

  @Test
  void aCopyMustHaveTheRecordedChecksum() throws IOException {
    serve("mirror/board.libsvm.gz", packed, packed.length);
    Path to = folder.resolve("fetched");
    assertThat(get(to, "--from", url("mirror")).code()).isZero();
    assertThat(Files.readAllBytes(to.resolve("board.libsvm.gz"))).isEqualTo(packed);
  }

  @Test
  void anAlteredOrBrokenDownloadLeavesNothingBehind() throws IOException {
    byte[] altered = packed.clone();
    altered[altered.length / 2] ^= 1;
    serve("altered/board.libsvm.gz", altered, altered.length);
    byte[] half = java.util.Arrays.copyOf(packed, packed.length / 2);
    serve("half/board.libsvm.gz", half, packed.length);
    byte[] fewer = packed("1 1:0.5 2:0.5\n-1 1:0.1\n".getBytes(StandardCharsets.UTF_8));
    serve("public/board.gz", fewer, fewer.length);
    Path to = folder.resolve("fetched");
    refused(get(to, "--from", url("altered")), to, Failure.BAD_DATA, "altered or damaged");
    refused(get(to, "--from", url("half")), to, Failure.IO, "the download was interrupted");
    refused(
        get(to, "--from", "http://localhost:1/"), to, Failure.IO, "the server cannot be reached");
    refused(
        get(to, "--from", url("nowhere")),
        to,
        Failure.NO_INPUT,
        "the server replied with status 404");
    refused(get(to), to, Failure.BAD_DATA, "expected 300 rows, found 2");
  }

  @Test
  void aPublicFileWithOtherRowsIsRefusedHoweverItIsSpaced() throws IOException {
    String rows = new String(board, StandardCharsets.UTF_8);
    byte[] spaced = packed(rows.replace("\n", " \n").getBytes(StandardCharsets.UTF_8));
    byte[] other = packed(rows.replaceFirst("1:", "1:1").getBytes(StandardCharsets.UTF_8));
    Path to = folder.resolve("fetched");
    serve("public/board.gz", other, other.length);
    refused(get(to), to, Failure.BAD_DATA, "as SHA-256 of its rows");
    server.removeContext("/public/board.gz");
    serve("public/board.gz", spaced, spaced.length);
    assertThat(get(to).code()).isZero();
  }

  @Test
  void textsOfAPublicFileAreNumberedByTheAlphabet() throws Exception {
    String table = "0,tcp,0.5,normal.\n3,icmp,0,smurf.\n0,udp,1.5,back.\n7,tcp,0.00,normal.\n";
    byte[] content = packed(table.getBytes(StandardCharsets.UTF_8));
    Files.writeString(
        folder.resolve("catalogue.ini"),
        """
        [board]
        task = multiclass
        rows = 4
        features = 3
        classes = 3
        coded.board = 2:ospf
        source.board = %s
        source-sha256.board = %s
        """
            .formatted(url("public/board.gz"), sha256(content)));
    Path to = folder.resolve("fetched");
    serve("public/board.gz", packed, packed.length);
    refused(get(to), to, Failure.BAD_DATA, "altered or damaged: expected SHA-256");
    server.removeContext("/public/board.gz");
    serve("public/board.gz", content, content.length);
    Shell.Result fetched = get(to);
    assertThat(fetched.code()).as(fetched.err()).isZero();
    Path kept = to.resolve("board.libsvm.gz");
    assertThat(files(to)).containsExactly(kept);
    try (InputStream in = new GZIPInputStream(Files.newInputStream(kept))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("1 2:3 3:0.5\n2 1:3 2:1\n0 2:4 3:1.5\n1 1:7 2:3\n");
    }
  }

  private static void refused(Shell.Result result, Path to, int code, String why)
      throws IOException {
    assertThat(result.err()).contains(why).doesNotContain("\tat ");
    assertThat(result.code()).isEqualTo(code);
    assertThat(files(to)).isEmpty();
  }
}
