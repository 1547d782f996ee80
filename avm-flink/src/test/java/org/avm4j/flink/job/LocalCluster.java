package org.avm4j.flink.job;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Kafka broker, ZooKeeper, a JobManager and TaskManagers of Flink, as processes of their own. A
 * JobManager that is started again goes on with its jobs, as ZooKeeper keeps them.
 */
final class LocalCluster implements AutoCloseable {
  private static final int SLOTS = 2;

  private final Path module = Path.of(System.getProperty("avm.flink.module", ""));
  private final Path folder;
  private final int kafkaPort = LocalProcess.freePort();
  private final int zooKeeperPort = LocalProcess.freePort();
  private final int restPort = LocalProcess.freePort();
  private final int rpcPort = LocalProcess.freePort();
  private final TreeMap<Integer, LocalProcess> taskManagers = new TreeMap<>();
  private final Map<String, Integer> starts = new HashMap<>();
  private LocalProcess kafka;
  private LocalProcess zooKeeper;
  private LocalProcess jobManager;
  private int started;

  LocalCluster(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  public static void main(String[] args) throws Exception {
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 2;
    Path folder = args.length > 1 ? Path.of(args[1]) : Files.createTempDirectory("avm-cluster");
    LocalCluster cluster = new LocalCluster(folder);
    Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
    cluster.formatKafka();
    cluster.startKafka();
    cluster.startZooKeeper();
    cluster.startJobManager();
    for (int i = 0; i < n; i++) {
      cluster.startTaskManager();
    }
    cluster.awaitSlots(SLOTS * n);
    System.out.println("Kafka:        " + cluster.kafkaAddress());
    System.out.println("Flink's page: http://127.0.0.1:" + cluster.restPort);
    System.out.println("logs, state:  " + folder);
    System.out.println("submit a job: FLINK_CONF_DIR=" + cluster.configuration() + " \\");
    System.out.println("  java -cp \"$(cat avm-flink/target/flink.classpath)\" \\");
    System.out.println("  org.apache.flink.client.cli.CliFrontend run -d \\");
    System.out.println(
        "  avm-flink/target/avm-flink-job.jar learn --kafka ... --in kafka:rows ...");
    System.out.println("stop with Ctrl-C");
    Thread.currentThread().join();
  }

  String kafkaAddress() {
    return "127.0.0.1:" + kafkaPort;
  }

  Path configuration() {
    return folder.resolve("conf");
  }

  /** Makes the empty folder of a broker. */
  void formatKafka() throws Exception {
    String controller = "127.0.0.1:" + LocalProcess.freePort();
    Files.writeString(
        kafkaSettings(),
        String.join(
            "\n",
            "process.roles=broker,controller",
            "node.id=1",
            "listeners=PLAINTEXT://127.0.0.1:" + kafkaPort + ",CONTROLLER://" + controller,
            "controller.listener.names=CONTROLLER",
            "controller.quorum.bootstrap.servers=" + controller,
            "log.dirs=" + folder.resolve("kafka"),
            "offsets.topic.replication.factor=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1",
            "share.coordinator.state.topic.replication.factor=1",
            "share.coordinator.state.topic.min.isr=1",
            "group.initial.rebalance.delay.ms=0",
            "message.max.bytes=16777216",
            ""));
    start(
            "format",
            kafkaJars(),
            "256m",
            "kafka.tools.StorageTool",
            "format",
            "-t",
            UUID.randomUUID().toString(),
            "-c",
            kafkaSettings().toString(),
            "--standalone")
        .awaitEnd();
  }

  /** Starts the broker, or restarts it on the data that it has written. */
  void startKafka() throws Exception {
    kafka = start("kafka", kafkaJars(), "1g", "kafka.Kafka", kafkaSettings().toString());
    kafka.awaitPort(kafkaPort);
  }

  private Path kafkaSettings() {
    return folder.resolve("server.properties");
  }

  private String kafkaJars() throws IOException {
    return Files.readString(module.resolve("target/kafka.classpath"));
  }

  /** Starts the ZooKeeper that comes with Flink. */
  void startZooKeeper() throws Exception {
    zooKeeper =
        start(
            "zookeeper",
            flinkJars(),
            "128m",
            "org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServerMain",
            "" + zooKeeperPort,
            folder.resolve("zookeeper").toString());
    zooKeeper.awaitPort(zooKeeperPort);
  }

  void startJobManager() throws Exception {
    Files.createDirectories(configuration());
    Files.writeString(configuration().resolve("config.yaml"), settings());
    jobManager =
        start(
            "jobmanager",
            flinkJars(),
            "512m",
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
            "--configDir",
            configuration().toString(),
            "--host",
            "127.0.0.1");
    jobManager.awaitPort(restPort);
  }

  int startTaskManager() throws IOException {
    int number = ++started;
    taskManagers.put(
        number,
        start(
            "taskmanager-" + number,
            flinkJars(),
            "640m",
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
            "--configDir",
            configuration().toString(),
            "-D",
            "taskmanager.resource-id=tm" + number));
    return number;
  }

  /** Ends the oldest TaskManager as {@code kill -9} does. */
  void killTaskManager() throws InterruptedException {
    taskManagers.pollFirstEntry().getValue().kill();
  }

  /** Ends the JobManager as {@code kill -9} does. */
  void killJobManager() throws InterruptedException {
    jobManager.kill();
  }

  /** Ends the broker as {@code kill -9} does. */
  void killKafka() throws InterruptedException {
    kafka.kill();
  }

  /** Submits the job; returns the id of the job. */
  String submit(int parallelism, String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of("run", "-d", "-p", "" + parallelism));
    command.add(module.resolve("target/avm-flink-job.jar").toString());
    command.addAll(Arrays.asList(args));
    LocalProcess client =
        start(
            "client",
            flinkJars(),
            "256m",
            "org.apache.flink.client.cli.CliFrontend",
            command.toArray(String[]::new));
    client.awaitEnd();
    Matcher id = Pattern.compile("JobID ([0-9a-f]{32})").matcher(client.printed());
    if (!id.find()) {
      throw new IllegalStateException("Flink's client named no job: " + client.printed());
    }
    return id.group(1);
  }

  /** What the page of Flink says under a path. */
  String rest(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + restPort + path)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  void awaitSlots(int wanted) throws Exception {
    long end = System.nanoTime() + LocalProcess.PATIENCE.toNanos();
    Pattern slots = Pattern.compile("\"slots-total\":(\\d+)");
    while (System.nanoTime() < end) {
      checkAlive();
      try {
        Matcher found = slots.matcher(rest("/overview"));
        if (found.find() && Integer.parseInt(found.group(1)) >= wanted) {
          return;
        }
      } catch (IOException notYet) {
        // the JobManager is starting
      }
      Thread.sleep(500);
    }
    throw new IllegalStateException(wanted + " slots did not come, see " + folder);
  }

  /** Fails if a process has ended that nobody has killed. */
  void checkAlive() throws IOException {
    kafka.checkAlive();
    zooKeeper.checkAlive();
    jobManager.checkAlive();
    for (LocalProcess taskManager : taskManagers.values()) {
      taskManager.checkAlive();
    }
  }

  private String settings() {
    return String.join(
        "\n",
        "jobmanager.rpc.address: 127.0.0.1",
        "jobmanager.rpc.port: " + rpcPort,
        "jobmanager.memory.process.size: 1g",
        "rest.address: 127.0.0.1",
        "rest.bind-address: 127.0.0.1",
        "rest.port: " + restPort,
        "taskmanager.host: 127.0.0.1",
        "taskmanager.numberOfTaskSlots: " + SLOTS,
        "taskmanager.cpu.cores: 2",
        "taskmanager.memory.task.heap.size: 512m",
        "taskmanager.memory.task.off-heap.size: 64m",
        "taskmanager.memory.managed.size: 64m",
        "taskmanager.memory.framework.heap.size: 128m",
        "taskmanager.memory.framework.off-heap.size: 128m",
        "taskmanager.memory.network.min: 64m",
        "taskmanager.memory.network.max: 64m",
        "taskmanager.memory.jvm-metaspace.size: 256m",
        "taskmanager.memory.jvm-overhead.min: 128m",
        "taskmanager.memory.jvm-overhead.max: 128m",
        "heartbeat.interval: 2000",
        "heartbeat.timeout: 15000",
        "high-availability.type: zookeeper",
        "high-availability.zookeeper.quorum: 127.0.0.1:" + zooKeeperPort,
        "high-availability.zookeeper.client.session-timeout: 10000",
        "high-availability.storageDir: " + folder.resolve("jobs").toUri(),
        "restart-strategy.type: fixed-delay",
        "restart-strategy.fixed-delay.attempts: 1000",
        "restart-strategy.fixed-delay.delay: 1 s",
        "state.backend.type: hashmap",
        "execution.checkpointing.interval: 2000",
        "execution.checkpointing.dir: " + folder.resolve("checkpoints").toUri(),
        "execution.checkpointing.savepoint-dir: " + folder.resolve("savepoints").toUri(),
        "execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION",
        "");
  }

  private String flinkJars() throws IOException {
    return Files.readString(module.resolve("target/flink.classpath")).strip();
  }

  /** Starts a program of Java; each start has a log of its own. */
  LocalProcess start(String name, String jars, String heap, String main, String... args)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "-Dzookeeper.admin.enableServer=false",
                "-Dlog4j2.configurationFile=" + module.resolve("src/cluster/loud.properties"),
                "-cp",
                jars.strip(),
                main));
    command.addAll(Arrays.asList(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("FLINK_CONF_DIR", configuration().toString());
    int start = starts.merge(name, 1, Integer::sum);
    Path log = folder.resolve(name + (start == 1 ? "" : "-again-" + start) + ".log");
    return LocalProcess.start(name, builder, log);
  }

  @Override
  public void close() {
    Stream.concat(taskManagers.values().stream(), Stream.of(jobManager, zooKeeper, kafka))
        .filter(process -> process != null)
        .forEach(LocalCluster::end);
  }

  private static void end(LocalProcess process) {
    try {
      process.kill();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
