package org.avm4j.flink.job;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A process of a local cluster, with its log. What is awaited of it fails as soon as it is dead.
 */
final class LocalProcess {
  /**
   * How long something may take on a busy machine, in seconds: the property {@code
   * avm.cluster.patience}, or ten minutes.
   */
  static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("avm.cluster.patience", 600));

  /**
   * Ports below those that systems give to outgoing connections. A client that tries again and
   * again to reach a local port among those can be given this very port for its own end: it then
   * talks to itself, and the server that should come back finds its port taken.
   */
  static final int FIRST_PORT = 20_000;

  static final int LAST_PORT = 29_999;

  private static final int TAIL = 15;

  private final String name;
  private final Process process;
  private final Path log;

  private LocalProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /** Starts a command; all that it prints goes to the log. */
  static LocalProcess start(String name, ProcessBuilder command, Path log) throws IOException {
    return new LocalProcess(
        name, command.redirectErrorStream(true).redirectOutput(log.toFile()).start(), log);
  }

  /** A port that nobody listens at. */
  static int freePort() throws IOException {
    SplittableRandom random = new SplittableRandom();
    while (true) {
      int port = random.nextInt(FIRST_PORT, LAST_PORT + 1);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        continue;
      }
    }
  }

  /** Waits until the process listens at a port. */
  void awaitPort(int port) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      checkAlive();
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
        return;
      } catch (IOException notYet) {
        Thread.sleep(300);
      }
    }
    throw failure("does not listen at port " + port + " after " + PATIENCE.toSeconds() + " s");
  }

  /** Waits until the process has ended well. */
  void awaitEnd() throws IOException, InterruptedException {
    awaitEnd(PATIENCE);
  }

  /** The same with another patience. A process that takes longer is killed. */
  void awaitEnd(Duration patience) throws IOException, InterruptedException {
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      kill();
      throw failure("has not ended after " + patience.toMillis() / 1e3 + " s");
    }
    if (process.exitValue() != 0) {
      throw ended();
    }
  }

  /** Fails if the process has ended. */
  void checkAlive() throws IOException {
    if (!process.isAlive()) {
      throw ended();
    }
  }

  /** Ends it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** All that it printed so far. */
  String printed() throws IOException {
    return Files.readString(log);
  }

  private IllegalStateException ended() throws IOException {
    return failure("ended with code " + process.exitValue());
  }

  /** A sentence, and the end of the log. */
  private IllegalStateException failure(String what) throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    List<String> last = lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
    return new IllegalStateException(
        name + " " + what + ", see " + log + ", which ends with\n" + String.join("\n", last));
  }
}
