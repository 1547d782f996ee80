package org.avm4j.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.LearnerSpec;

/**
 * The figures of decision 22, by {@code ./avm-flink/measure}: overhead, cores, keys, regions and
 * network. Things that are compared take turns in one process.
 */
final class Measure {
  private static final LearnerSpec SPEC =
      LearnerSpec.of(
          Map.of("task", "binary", "gamma", 1, "delta", 0.1, "max-size", 50, "at-limit", "merge"));

  /** What sources of this process hand out. */
  private static List<AvmRow> rows = List.of();

  private static final AtomicLong SEEN = new AtomicLong();

  private Measure() {}

  public static void main(String[] args) throws Exception {
    int n = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    switch (args.length == 0 ? "" : args[0]) {
      case "overhead" -> overhead(n);
      case "cores" -> cores(n);
      case "keys" -> keys(n);
      case "regions" -> regions(n);
      default -> System.out.println("measure overhead|cores|keys|regions [ROWS]");
    }
    System.exit(0);
  }

  private static Path data(String name) {
    return Path.of(System.getenv("AVM_DATA"), name + ".libsvm.gz");
  }

  private static List<Instance> instances(String name, int most) throws IOException {
    List<Instance> all = new ArrayList<>();
    LibsvmReader.Options labelled = new LibsvmReader.Options(false, false, true);
    InputStream plain = new GZIPInputStream(Files.newInputStream(data(name)), 1 << 16);
    try (LibsvmReader reader = new LibsvmReader(name, plain, labelled)) {
      while (all.size() < most && reader.next()) {
        all.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return all;
  }

  private static List<AvmRow> keyed(List<Instance> instances, int keys) {
    SplitMix random = new SplitMix(1);
    List<AvmRow> keyed = new ArrayList<>();
    for (Instance instance : instances) {
      String key = "key-" + (int) (random.getAsDouble() * keys);
      keyed.add(AvmRow.of(key, instance.features(), instance.label()));
    }
    return keyed;
  }

  private static StreamExecutionEnvironment environment(int parallelism, Configuration config)
      throws IOException {
    Path checkpoints = Files.createTempDirectory("avm-measure-checkpoints");
    config.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, config);
    env.getConfig().enableObjectReuse();
    env.setMaxParallelism(128);
    return env;
  }

  private static DataStream<AvmRow> source(StreamExecutionEnvironment env, int parallelism) {
    DataGeneratorSource<AvmRow> source =
        new DataGeneratorSource<>(
            i -> rows.get((int) (long) i), rows.size(), new ValueType<>(AvmRow.class));
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), "rows")
        .setParallelism(parallelism);
  }

  private static double plain(LearnerRecipe recipe) {
    long start = System.nanoTime();
    TestStream.Reference alone = new TestStream.Reference(recipe);
    for (AvmRow row : rows) {
      alone.take(row);
    }
    return rows.size() / seconds(start);
  }

  /** Rows a second of the job itself, without the start of the cluster. */
  private static double flink(LearnerRecipe recipe, int parallelism) throws Exception {
    StreamExecutionEnvironment env = environment(parallelism, new Configuration());
    AvmStreams.learn(source(env, 1), LearnOptions.of(recipe)).sinkTo(new DiscardingSink<>());
    return rows.size() / (env.execute().getNetRuntime(TimeUnit.MILLISECONDS) / 1e3);
  }

  private static void overhead(int n) throws Exception {
    rows = keyed(instances("ijcnn1", n), 1000);
    LearnerRecipe recipe = LearnerRecipe.of(SPEC);
    System.out.println("ijcnn1, 1,000 keys, at most 50 core points each; rows a second");
    for (int round = 0; round < 5; round++) {
      double plain = plain(recipe);
      double flink = flink(recipe, 1);
      print("plain %,.0f  flink %,.0f  ratio %.2f", plain, flink, flink / plain);
    }
  }

  /** Two cores against one; the first round warms up. */
  private static void cores(int n) throws Exception {
    rows = repeated(keyed(instances("ijcnn1", n), 1000), 6);
    LearnerRecipe recipe = LearnerRecipe.of(SPEC);
    System.out.println("ijcnn1 six times over, 1,000 keys; rows a second by parallelism");
    for (int round = 0; round < 5; round++) {
      printRatio(flink(recipe, 1), flink(recipe, 2));
    }
    List<Instance> covtype = instances("covtype", n);
    Collections.shuffle(covtype, new Random(1)); // in its own order some regions rest for long
    int sample = Math.min(20_000, covtype.size() / 4);
    RegionRouter router = RegionRouter.of(planted(covtype, sample).toBytes(), 16, 128);
    rows = keyed(covtype.subList(sample, covtype.size()), 1);
    print("covtype by %d regions; rows a second by parallelism", router.regions());
    for (int round = 0; round < 5; round++) {
      printRatio(byRegion(router, 1), byRegion(router, 2));
    }
  }

  private static void printRatio(double one, double two) {
    print("one %,.0f  two %,.0f  ratio %.2f", one, two, two / one);
  }

  private static List<AvmRow> repeated(List<AvmRow> some, int times) {
    List<AvmRow> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.addAll(some);
    }
    return all;
  }

  private static double byRegion(RegionRouter router, int parallelism) throws Exception {
    StreamExecutionEnvironment env = environment(parallelism, new Configuration());
    AvmStreams.learnByRegion(source(env, 1), router, LearnOptions.of(router.recipe()))
        .sinkTo(new DiscardingSink<>());
    return rows.size() / (env.execute().getNetRuntime(TimeUnit.MILLISECONDS) / 1e3);
  }

  /** A tree that has learned a sample. */
  private static Pipeline planted(List<Instance> all, int sample) {
    Pipeline tree = LearnerRecipe.of(LearnerSpec.of(Map.of("change", "none"))).create();
    all.subList(0, sample).forEach(row -> tree.learn(row.features(), row.label(), 1));
    return tree;
  }

  /** A million keys: a savepoint, and going on from it. */
  private static void keys(int n) throws Exception {
    LearnerSpec small =
        LearnerSpec.of(
            Map.of("task", "binary", "gamma", 1, "delta", 0.3, "max-size", 8, "lambda", 0.001));
    LearnOptions options = LearnOptions.of(LearnerRecipe.of(small));
    Path folder = Files.createTempDirectory("avm-measure");
    long base = heap();
    StreamExecutionEnvironment env = environment(1, new Configuration());
    JobClient job = run(env, options, 0, n, 3L * n);
    print("%,d keys: heap %,d bytes a key", n, (heap() - base) / n);
    long start = System.nanoTime();
    String savepoint =
        job.stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
            .get(30, TimeUnit.MINUTES);
    double saved = seconds(start);
    long bytes = size(folder);
    print("savepoint: %,d bytes, %,d a key, %.1f s", bytes, bytes / n, saved);
    Configuration config = new Configuration();
    config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    config.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    start = System.nanoTime();
    JobClient again = run(environment(1, config), options, 1, n, 1000);
    print(
        "first 1,000 rows after a restore: %.1f s, heap %,d bytes a key",
        seconds(start), (heap() - base) / n);
    again.cancel().get();
  }

  /** Feeds so many rows over n keys and waits until they are learned; the source stays open. */
  private static JobClient run(
      StreamExecutionEnvironment env, LearnOptions options, int name, int n, long many)
      throws Exception {
    SEEN.set(0);
    DataGeneratorSource<AvmRow> source =
        new DataGeneratorSource<>(
            i -> {
              if (i >= many) {
                Thread.sleep(50);
              }
              AvmRow row = TestStream.row(i, 1);
              return row.withKey("key-" + (i >= many ? 0 : i % n));
            },
            Long.MAX_VALUE,
            new ValueType<>(AvmRow.class));
    AvmStreams.learn(
            env.fromSource(source, WatermarkStrategy.noWatermarks(), "rows")
                .setParallelism(1)
                .uid("rows" + name),
            options)
        .map(answer -> SEEN.incrementAndGet())
        .returns(Long.class)
        .sinkTo(new DiscardingSink<>());
    JobClient job = env.executeAsync();
    while (SEEN.get() < many) {
      Thread.sleep(100);
    }
    return job;
  }

  /** One tree, and the same tree split by region after a sample. */
  private static void regions(int n) throws Exception {
    int sample = Math.min(20_000, n / 4);
    List<Instance> all = instances("covtype", n);
    Pipeline tree = planted(all, sample);
    byte[] start = tree.toBytes();
    List<Instance> rest = all.subList(sample, all.size());
    print("one tree: %.3f %% wrong after a sample of %,d", alone(tree, rest), sample);
    for (int regions : new int[] {4, 16, 64}) {
      RegionRouter router = RegionRouter.of(start, regions, 128);
      Map<String, Pipeline> learners = new HashMap<>();
      int wrong = 0;
      for (Instance row : rest) {
        String key = router.key(router.region(row.features()));
        Pipeline its = learners.computeIfAbsent(key, none -> router.recipe().create());
        wrong += its.predict(row.features()) == row.label() ? 0 : 1;
        its.learn(row.features(), row.label(), 1);
      }
      long bytes = learners.values().stream().mapToLong(l -> l.toBytes().length).sum();
      print(
          "%d regions: %.3f %% wrong, %,d bytes a region",
          router.regions(), 100.0 * wrong / rest.size(), bytes / router.regions());
    }
  }

  private static double alone(Pipeline learner, List<Instance> rest) {
    int wrong = 0;
    for (Instance row : rest) {
      wrong += learner.predict(row.features()) == row.label() ? 0 : 1;
      learner.learn(row.features(), row.label(), 1);
    }
    return 100.0 * wrong / rest.size();
  }

  private static long heap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
