package org.avm4j.flink.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.flink.AvmAnswer;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.LearnerRecipe;
import org.avm4j.flink.ModelUpdate;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.LearnerSpec;

/**
 * Kills processes of a real cluster while it learns, and holds every answer and every model against
 * what the library alone makes of the same rows. Run by {@code ./avm-flink/cluster-test}.
 */
final class ClusterRun {
  private static final int PARTITIONS = 4;
  private static final int MODELS_EVERY = 500;

  /** What is killed, one after the other: a TaskManager, the JobManager or the Kafka broker. */
  private static final String KILLS = "TTJTTTKTJTTJTT";

  private static final String[] SPEC = {
    "--task", "binary", "--gamma", "1", "--delta", "0.01", "--max-size", "16", "--at-limit", "merge"
  };
  private static final Pattern ID = Pattern.compile("\"id\":\"(\\d+)\"");

  private final LocalCluster cluster;
  private final int n;
  private final int keys;
  private final RowFormat format =
      new RowFormat(RowFormat.Form.JSON, List.of(), "key", "label", "id", "weight");
  private final long[] found;
  private final Map<String, Long> models = new HashMap<>();
  private volatile Exception unsent;
  private int answered;
  private int doubled;
  private int modelsDoubled;

  private ClusterRun(LocalCluster cluster, int n, int keys) {
    this.cluster = cluster;
    this.n = n;
    this.keys = keys;
    found = new long[n];
  }

  public static void main(String[] args) throws Exception {
    int n = Integer.parseInt(args[1]);
    boolean isExact;
    try (LocalCluster cluster = new LocalCluster(Path.of(args[0]))) {
      Thread stop = new Thread(cluster::close);
      Runtime.getRuntime().addShutdownHook(stop);
      isExact = new ClusterRun(cluster, n, Integer.parseInt(args[2])).run();
    } catch (IllegalStateException failed) {
      System.err.println(failed.getMessage());
      isExact = false;
    }
    System.exit(isExact ? 0 : 1);
  }

  private boolean run() throws Exception {
    long start = System.nanoTime();
    cluster.formatKafka();
    cluster.startKafka();
    cluster.startZooKeeper();
    say(start, "Kafka and ZooKeeper are up");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.kafkaAddress()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("rows", PARTITIONS, (short) 1),
                  new NewTopic("answers", PARTITIONS, (short) 1),
                  new NewTopic("models", PARTITIONS, (short) 1),
                  new NewTopic("dead", 1, (short) 1)))
          .all()
          .get();
    }
    cluster.startJobManager();
    for (int i = 0; i < 3; i++) {
      cluster.startTaskManager();
    }
    Thread producing = new Thread(this::produce);
    producing.start();
    cluster.awaitSlots(6);
    say(start, "a JobManager and three TaskManagers are up");
    String job = submit();
    try (KafkaConsumer<String, String> answers = consumer("answers", PARTITIONS)) {
      for (int i = 0; i < KILLS.length(); i++) {
        readUntil(answers, (int) ((i + 1L) * n / (KILLS.length() + 2)));
        kill(KILLS.charAt(i), start);
      }
      readUntil(answers, n);
      say(start, "all rows are answered");
      drain(answers);
    }
    producing.join();
    String state = cluster.rest("/jobs/" + job + "/checkpoints");
    try (KafkaConsumer<String, String> sent = consumer("models", PARTITIONS)) {
      readModels(sent);
    }
    int dead = count("dead", 1);
    boolean isExact = compare(start) && dead == 0;
    Matcher size = Pattern.compile("\"state_size\":\\{[^}]*\"avg\":(\\d+)").matcher(state);
    Matcher time = Pattern.compile("\"end_to_end_duration\":\\{[^}]*\"avg\":(\\d+)").matcher(state);
    if (size.find() && time.find()) {
      say(start, "checkpoints: " + size.group(1) + " bytes, " + time.group(1) + " ms on average");
    }
    say(start, "dead letters: " + dead + ", " + (isExact ? "exact" : "NOT exact"));
    return isExact;
  }

  private void kill(char what, long start) throws Exception {
    switch (what) {
      case 'T' -> {
        cluster.killTaskManager();
        say(start, "killed a TaskManager at " + answered + " answers");
        cluster.startTaskManager();
      }
      case 'J' -> {
        cluster.killJobManager();
        say(start, "killed the JobManager at " + answered + " answers");
        cluster.startJobManager();
      }
      default -> {
        cluster.killKafka();
        say(start, "killed the Kafka broker at " + answered + " answers");
        cluster.startKafka();
      }
    }
  }

  private String submit() throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of(
                "learn",
                "--kafka",
                cluster.kafkaAddress(),
                "--in",
                "kafka:rows",
                "--out",
                "kafka:answers",
                "--models",
                "kafka:models",
                "--models-every",
                "" + MODELS_EVERY,
                "--dead-letters",
                "kafka:dead",
                "--key",
                "key"));
    args.addAll(List.of(SPEC));
    return cluster.submit(4, args.toArray(String[]::new));
  }

  private String row(int i) {
    SplitMix random = new SplitMix(i + 1L);
    double a = 2 * random.getAsDouble() - 1;
    double b = 2 * random.getAsDouble() - 1;
    int key = (int) (random.getAsDouble() * keys);
    int label = a * b + 0.001 * key * (a - b) > 0 ? 1 : -1;
    return String.format(
        Locale.ROOT,
        "{\"key\":\"k%d\",\"id\":\"%d\",\"a\":%s,\"b\":%s,\"label\":%d}",
        key,
        i,
        a,
        b,
        label);
  }

  private void produce() {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", cluster.kafkaAddress());
    settings.put("enable.idempotence", "true");
    settings.put("linger.ms", "20");
    settings.put("delivery.timeout.ms", "" + LocalProcess.PATIENCE.toMillis());
    settings.put("max.block.ms", "" + LocalProcess.PATIENCE.toMillis());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < n; i++) {
        String line = row(i);
        producer.send(
            new ProducerRecord<>("rows", format.row(line).key(), line),
            (sent, failed) -> unsent = failed == null ? unsent : failed);
      }
    }
  }

  private KafkaConsumer<String, String> consumer(String topic, int partitions) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", cluster.kafkaAddress());
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "earliest");
    settings.put("fetch.max.bytes", "52428800");
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    List<TopicPartition> all = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      all.add(new TopicPartition(topic, p));
    }
    consumer.assign(all);
    consumer.seekToBeginning(all);
    return consumer;
  }

  private void readUntil(KafkaConsumer<String, String> consumer, int wanted) throws IOException {
    long silentSince = System.nanoTime();
    while (answered < wanted) {
      int before = answered;
      consumer.poll(Duration.ofMillis(500)).forEach(this::take);
      silentSince = answered > before ? System.nanoTime() : silentSince;
      cluster.checkAlive();
      if (unsent != null) {
        throw new IllegalStateException("rows could not be sent to Kafka", unsent);
      }
      long seconds = LocalProcess.PATIENCE.toSeconds();
      if (System.nanoTime() - silentSince > 1e9 * seconds) {
        throw new IllegalStateException("no answer for " + seconds + " s after " + answered);
      }
    }
  }

  /** Looks whether answers come that were given already. */
  private void drain(KafkaConsumer<String, String> consumer) {
    for (int quiet = 0; quiet < 20; quiet++) {
      consumer.poll(Duration.ofMillis(500)).forEach(this::take);
    }
  }

  private void take(ConsumerRecord<String, String> record) {
    Matcher id = ID.matcher(record.value());
    id.find();
    int i = Integer.parseInt(id.group(1));
    doubled += found[i] != 0 ? 1 : 0;
    answered += found[i] == 0 ? 1 : 0;
    found[i] = hash(record.value());
  }

  private void readModels(KafkaConsumer<String, String> consumer) {
    for (int quiet = 0; quiet < 10; ) {
      int before = models.size() + modelsDoubled;
      consumer
          .poll(Duration.ofMillis(500))
          .forEach(
              record -> {
                ModelUpdate model = JsonLines.model(record.value());
                String name = model.key() + "@" + model.version();
                modelsDoubled += models.put(name, hash(record.value())) != null ? 1 : 0;
              });
      quiet = models.size() + modelsDoubled > before ? 0 : quiet + 1;
    }
  }

  private int count(String topic, int partitions) {
    int count = 0;
    try (KafkaConsumer<String, String> consumer = consumer(topic, partitions)) {
      for (int i = 0; i < 4; i++) {
        count += consumer.poll(Duration.ofMillis(500)).count();
      }
    }
    return count;
  }

  private static long hash(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return ((long) text.hashCode() << 32 | crc.getValue()) | 1L << 63;
  }

  /** Learns all rows by the library alone, in the order in which they were sent. */
  private boolean compare(long start) {
    Map<String, String> words = new HashMap<>();
    for (int i = 0; i < SPEC.length; i += 2) {
      words.put(SPEC[i].substring(2), SPEC[i + 1]);
    }
    LearnerRecipe recipe = LearnerRecipe.of(LearnerSpec.of(words));
    Map<String, Pipeline> learners = new HashMap<>();
    Map<String, Integer> counts = new HashMap<>();
    int wrong = 0;
    int expectedModels = 0;
    int wrongModels = 0;
    for (int i = 0; i < n; i++) {
      AvmRow row = format.row(row(i));
      Pipeline learner = learners.computeIfAbsent(row.key(), key -> recipe.create());
      int before = counts.merge(row.key(), 1, Integer::sum) - 1;
      wrong += found[i] == hash(JsonLines.of(answer(row, learner, before))) ? 0 : 1;
      if ((before + 1) % MODELS_EVERY == 0) {
        expectedModels++;
        String version = Integer.toString(before + 1);
        String line = JsonLines.of(new ModelUpdate(row.key(), version, learner.toBytes()));
        Long sent = models.get(row.key() + "@" + version);
        wrongModels += sent != null && sent == hash(line) ? 0 : 1;
      }
    }
    say(
        start,
        n + " rows: " + answered + " answered, " + doubled + " doubled, " + wrong + " wrong");
    say(
        start,
        expectedModels
            + " models of "
            + keys
            + " keys: "
            + wrongModels
            + " differ, "
            + modelsDoubled
            + " doubled, "
            + (models.size() - expectedModels)
            + " too many");
    return answered == n
        && doubled == 0
        && wrong == 0
        && wrongModels == 0
        && modelsDoubled == 0
        && models.size() == expectedModels;
  }

  private static AvmAnswer answer(AvmRow row, Pipeline learner, int before) {
    RowEncoder rows = new RowEncoder(learner.preparation().schema(), Missing.MEAN);
    double y = rows.label(row.label());
    Features x = row.values().encode(rows);
    double[] none = {};
    Prediction said = before == 0 ? null : learner.answer(x);
    learner.learn(x, y, row.weight());
    return new AvmAnswer(
        row.key(),
        row.id(),
        said == null ? null : said.label(),
        said == null ? none : said.scores(),
        none,
        null,
        null,
        row.label(),
        Integer.toString(before),
        said != null && said.isFar());
  }

  private static void say(long start, String what) {
    System.out.printf(Locale.ROOT, "%6.1f s  %s%n", (System.nanoTime() - start) / 1e9, what);
  }
}
