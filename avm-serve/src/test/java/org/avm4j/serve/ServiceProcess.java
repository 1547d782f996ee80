package org.avm4j.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A service in a process of its own, which can be killed. */
final class ServiceProcess implements AutoCloseable {
  private final Process process;
  private final URI uri;

  private ServiceProcess(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /** Runs a service until its process ends. */
  public static void main(String[] args) throws Exception {
    ServeOptions options =
        ServeOptions.of(Path.of(args[0]))
            .withPort(0)
            .withLimits(StoreLimits.DEFAULT.withRows(Duration.ofDays(100)));
    AvmServer server = AvmServer.start(options, line -> {});
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
    System.out.println(server.uri());
    Thread.sleep(Long.MAX_VALUE);
  }

  private static void close(AvmServer server) {
    try {
      server.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Starts a service that is ready soon, at the price of slower code. */
  static ServiceProcess start(Path folder, String... javaOptions) throws IOException {
    List<String> options = new ArrayList<>(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    options.addAll(List.of(javaOptions));
    return start(folder, options);
  }

  /** Starts a service with the options of the launcher; the project is the working directory. */
  static ServiceProcess startAsUsersDo(Path folder) throws IOException {
    return start(folder, List.of("@avm-app/src/dist/java.options"));
  }

  private static ServiceProcess start(Path folder, List<String> javaOptions) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")));
    command.addAll(javaOptions);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(ServiceProcess.class.getName());
    command.add(folder.toString());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the service did not start");
    }
    return new ServiceProcess(process, URI.create(line));
  }

  URI uri() {
    return uri;
  }

  /** As {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  /** As SIGTERM does; returns how many milliseconds it took. */
  long terminate() throws InterruptedException {
    long start = System.nanoTime();
    process.destroy();
    process.waitFor();
    return (System.nanoTime() - start) / 1_000_000;
  }
}
