package org.avm4j.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.avm4j.OnlineLearner;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Instance;
import org.avm4j.data.Missing;
import org.avm4j.eval.Inspection;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.explain.Importance;
import org.avm4j.io.ReadOptions;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run over files or a stream, without a command line. */
@Timeout(60)
class RunTest {
  static final int ROWS = 400;
  static final LearnerSpec SPEC =
      LearnerSpec.of(Map.of("gamma", 4, "delta", 0.3, "scale", "standard", "lambda", 0.01));

  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void write() throws IOException {
    data = folder.resolve("data.csv");
    Files.writeString(data, text(ROWS));
  }

  static String text(int rows) {
    SplitMix random = new SplitMix(1);
    StringBuilder text = new StringBuilder("a,b,label\n");
    for (int i = 0; i < rows; i++) {
      double a = 10 * random.getAsDouble();
      double b = random.getAsDouble();
      boolean isHigh = a > 5 ^ b > 0.5;
      text.append(a).append(',').append(b).append(isHigh ? ",high\n" : ",low\n");
    }
    return text.toString();
  }

  private DataSource source() {
    return DataSource.of(data.toString());
  }

  private PreparedData look() throws IOException {
    return PreparedData.look(source(), SPEC, 100);
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  @Test
  void aRunIsTheLoopThatItStandsFor() throws IOException {
    PreparedData looked = look();
    Run run =
        Run.start(
            looked,
            SPEC,
            RunOptions.DEFAULT.withScores(file("scores")).withModel(file("model")),
            RunListener.NONE);
    assertThat(run.learn()).isTrue();
    RunReport report = run.finish();
    Pipeline pipeline = looked.rules(SPEC).pipeline();
    Prequential loop = new Prequential(pipeline, Metrics.of(pipeline, true));
    List<String> scores = new ArrayList<>();
    for (Instance row : looked.all()) {
      loop.step(row.features(), row.label());
      scores.add(Double.toString(loop.scores()[0]));
    }
    assertThat(report.metrics().value()).isEqualTo(loop.metrics().value()).isLessThan(25);
    assertThat(report.metrics().instances()).isEqualTo(ROWS);
    assertThat(report.figures()).containsKeys("mistakeRate", "f1");
    assertThat(report.status()).isEqualTo(pipeline.status());
    assertThat(report.scaling()).isEqualTo("standard");
    assertThat(report.leftOut().badLines()).isZero();
    assertThat(file("scores")).hasContent(String.join("\n", scores));
    assertThat(OnlineLearner.load(file("model")).status()).isEqualTo(pipeline.status());
    assertThat(run.finish()).isSameAs(report);
  }

  private Run learned(RunListener listener) throws IOException {
    RunOptions options = RunOptions.DEFAULT.withPasses(1, true).withModel(file("mean"));
    Run run = Run.start(look(), SPEC, options, listener).measureColumns();
    run.learn();
    return run;
  }

  private Run averaged(int learners, Executor executor, RunListener listener) throws IOException {
    Run run = learned(listener);
    run.average(learners, executor);
    return run;
  }

  private Run besideTrees(int rows, Executor executor, RunListener listener) throws IOException {
    Files.writeString(data, text(rows));
    Run run = learned(listener);
    run.averageBesideTrees(3, executor);
    return run;
  }

  /** Few rows are held out in parts, many are held out by all. */
  @ParameterizedTest
  @ValueSource(ints = {ROWS, 5200})
  void treesStandBesideTheLearners(int rows) throws IOException {
    Run run = besideTrees(rows, Runnable::run, RunListener.NONE);
    Average average = run.finish().average().orElseThrow();
    PreparedModel saved = PreparedModel.load(file("mean"));
    assertThat(average.rounds()).isPositive();
    assertThat(average.share()).isBetween(0.02, 1.0);
    assertThat(saved.members()).hasSize(average.learners() + 1);
    assertThat(saved.memberWeights()).hasSize(average.learners() + 1);
    assertThat(saved.toBytes()).isEqualTo(run.model().toBytes());
    PreparedModel trees = saved.members().get(average.learners());
    assertThat(trees.status().settings()).containsEntry("rounds", average.rounds());
    assertThat(saved.answer(Map.of("a", 8, "b", 0.2)).label()).isIn(0.0, 1.0);
    byte[] model = Files.readAllBytes(file("mean"));
    besideTrees(rows, ForkJoinPool.commonPool(), RunListener.NONE).finish();
    assertThat(Files.readAllBytes(file("mean"))).isEqualTo(model);
  }

  @Test
  void treesThatAreStoppedAreNotInTheModel() throws IOException {
    Run run = besideTrees(ROWS, Runnable::run, new StopAfter(ROWS));
    Average average = run.finish().average().orElseThrow();
    assertThat(average.rounds()).isZero();
    assertThat(average.tried()).isEqualTo(1);
    assertThat(PreparedModel.load(file("mean")).members()).hasSize(1);
  }

  @Test
  void theMeanOfSeveralLearnersIsTheModel() throws IOException {
    Run run = averaged(4, Runnable::run, RunListener.NONE);
    Average average = run.finish().average().orElseThrow();
    assertThat(average.estimate().name()).isEqualTo("mistakeRate");
    assertThat(average.estimate().rows()).isEqualTo(2 * ROWS / 5);
    assertThat(average.learners()).isBetween(2, 4);
    assertThat(average.estimate().value()).isLessThan(25);
    PreparedModel saved = PreparedModel.load(file("mean"));
    assertThat(saved.members()).hasSize(average.learners());
    assertThat(saved.toBytes()).isEqualTo(run.model().toBytes());
    assertThat(saved.answer(Map.of("a", 8, "b", 0.2)).label()).isIn(0.0, 1.0);
    assertThat(saved.preparation().background().importance()).isPresent();
  }

  /** Days on which a label follows a column; the noise of each month has another strength. */
  private static String months() {
    SplitMix random = new SplitMix(3);
    StringBuilder text = new StringBuilder("day,a,label\n");
    double noise = 1;
    for (int i = 0; i < 600; i++) {
      noise = i % 30 == 0 ? StrictMath.exp(3 * random.getAsDouble()) : noise;
      double a = random.getAsDouble();
      double label = 10 * a + noise * (random.getAsDouble() - 0.5);
      text.append(LocalDate.EPOCH.plusDays(i)).append(',').append(a).append(',');
      text.append(label).append('\n');
    }
    return text.toString();
  }

  @Test
  void oneLearnerIsNoSurerOfTheRowsThatComeNextThanAMean() throws IOException {
    Files.writeString(data, months());
    LearnerSpec spec =
        LearnerSpec.of(Map.of("gamma", 0.1, "prior", 1, "max-size", 50, "scale", "standard"));
    RunOptions options = RunOptions.DEFAULT.withPasses(1, true);
    PreparedData looked = PreparedData.look(source(), spec, 100);
    Run run = Run.start(looked, spec, options, RunListener.NONE).measureColumns();
    run.learn();
    Estimate one = run.first().orElseThrow();
    assertThat(one.rows()).isEqualTo(120);
    assertThat(one.margin() / one.value()).isGreaterThan(0.5);
    run.averageBesideTrees(2, Runnable::run);
    Estimate mean = run.finish().estimate().orElseThrow();
    assertThat(mean.margin() / mean.value())
        .isCloseTo(one.margin() / one.value(), withinPercentage(20));
  }

  /** Of 400 rows that no learner takes, many are among those that are held out. */
  @Test
  void rowsThatAreRefusedDoNotSpoilTheMean() throws IOException {
    StringBuilder text = new StringBuilder(text(ROWS));
    for (int i = 0; i < ROWS; i++) {
      text.append("1e20,0.5,high\n");
    }
    Files.writeString(data, text);
    LearnerSpec automatic = LearnerSpec.automatic().with("change", "none");
    DataSource skipping = new DataSource(List.of(data.toString()), ReadOptions.DEFAULT, true);
    PreparedData looked = PreparedData.look(skipping, automatic, 100);
    RunOptions options = RunOptions.DEFAULT.withPasses(1, true).withModel(file("mean"));
    Run run = Run.start(looked, automatic, options, RunListener.NONE).measureColumns();
    run.learn();
    assertThat(run.average(2, Runnable::run)).isTrue();
    RunReport report = run.finish();
    assertThat(report.leftOut().badLines()).isEqualTo(ROWS);
    assertThat(report.average().orElseThrow().estimate().rows()).isBetween(40L, 120L);
    assertThat(PreparedModel.load(file("mean")).members()).isNotEmpty();
  }

  @Test
  void threadsDoNotChangeTheMean() throws IOException {
    averaged(4, Runnable::run, RunListener.NONE).finish();
    byte[] model = Files.readAllBytes(file("mean"));
    averaged(4, ForkJoinPool.commonPool(), RunListener.NONE).finish();
    assertThat(Files.readAllBytes(file("mean"))).isEqualTo(model);
  }

  @Test
  void aLearnerThatIsStoppedIsNotInTheMean() throws IOException {
    Run run = averaged(4, Runnable::run, new StopAfter(ROWS + 100));
    assertThat(run.finish().average().orElseThrow().tried()).isEqualTo(1);
    PreparedModel saved = PreparedModel.load(file("mean"));
    assertThat(saved.members()).hasSize(1);
    assertThat(saved.status().instances()).isEqualTo(ROWS);
  }

  /** Stops a run after so many instances. */
  private static class StopAfter implements RunListener {
    private final long most;
    private long last;

    StopAfter(long most) {
      this.most = most;
    }

    @Override
    public void advanced(long instances) {
      last = instances;
    }

    @Override
    public boolean isStopRequested() {
      return last >= most;
    }
  }

  @Test
  void theListenerIsToldAndMayStop() throws IOException {
    List<Long> points = new ArrayList<>();
    RunListener listener =
        new StopAfter(100) {
          @Override
          public void inspected(String metric, Inspection point) {
            assertThat(metric).isEqualTo("mistakeRate");
            points.add(point.instances());
          }
        };
    Run run = Run.start(look(), SPEC, RunOptions.DEFAULT, listener);
    assertThat(run.learn()).isFalse();
    assertThat(points).startsWith(1L, 2L, 3L).endsWith(96L);
    assertThat(run.finish().metrics().instances()).isEqualTo(100);
    assertThat(run.learn()).isFalse();
  }

  /** A fifth of the rows is held out; the same by hand. */
  @Test
  void columnsAreMeasuredOnRowsThatTheModelHadNotLearned() throws IOException {
    PreparedData looked = look();
    Run run = Run.start(looked, SPEC, RunOptions.DEFAULT, RunListener.NONE).measureColumns();
    run.learn();
    run.finish();
    Pipeline pipeline = looked.rules(SPEC).pipeline();
    List<Instance> rows = looked.all();
    rows.subList(0, 4 * ROWS / 5).forEach(row -> pipeline.learn(row.features(), row.label()));
    Importance expected =
        Importance.measure(
            pipeline.snapshot(),
            rows.subList(4 * ROWS / 5, ROWS),
            looked.schema(),
            SPEC.seed(),
            ROWS);
    Importance found = run.pipeline().preparation().background().importance().orElseThrow();
    assertThat(found).isEqualTo(expected);
    assertThat(found.rows()).isEqualTo(ROWS / 5);
    assertThat(found.columns())
        .extracting(Importance.Rise::column)
        .containsExactlyInAnyOrder("a", "b");
    assertThat(found.columns()).allMatch(rise -> rise.rise() > 20);
  }

  /** Stopped before the rows that are held out, and among them. */
  @ParameterizedTest
  @ValueSource(longs = {100, 350})
  void aStoppedRunMeasuresTheSameColumns(long at) throws IOException {
    RunOptions options =
        RunOptions.DEFAULT
            .withPasses(2, true)
            .withModel(file("model"))
            .withCheckpoint(file("checkpoint"), 130, true, "a test");
    Run whole = Run.start(look(), SPEC, options, RunListener.NONE).measureColumns();
    whole.learn();
    whole.finish();
    byte[] expected = Files.readAllBytes(file("model"));
    Files.delete(file("checkpoint"));
    Run first = Run.start(look(), SPEC, options, stopAt(at)).measureColumns();
    assertThat(first.learn()).isFalse();
    Run second = Run.start(look(), SPEC, options, RunListener.NONE).measureColumns();
    assertThat(second.learn()).isTrue();
    second.finish();
    assertThat(Files.readAllBytes(file("model"))).isEqualTo(expected);
    assertThat(second.pipeline().preparation().background().importance()).isPresent();
  }

  private static RunListener stopAt(long row) {
    long[] last = {0};
    return new RunListener() {
      @Override
      public void advanced(long instances) {
        last[0] = instances;
      }

      @Override
      public boolean isStopRequested() {
        return last[0] == row;
      }
    };
  }

  @Test
  void aStoppedRunGoesOnWhereItWas() throws IOException {
    RunOptions options =
        RunOptions.DEFAULT
            .withPasses(2, true)
            .withModel(file("model"))
            .withScores(file("scores"))
            .withCheckpoint(file("checkpoint"), 130, true, "a test");
    finish(options, Long.MAX_VALUE);
    byte[] model = Files.readAllBytes(file("model"));
    byte[] scores = Files.readAllBytes(file("scores"));
    Files.delete(file("checkpoint"));
    assertThat(options.resumes()).isFalse();
    for (long stop : new long[] {150, 151, 399, 400, 401, 700, Long.MAX_VALUE}) {
      finish(options, stop);
      assertThat(options.resumes()).isTrue();
      assertThat(ModelFile.open(file("checkpoint")).kind()).isEqualTo("avm-checkpoint");
    }
    assertThat(file("model")).hasBinaryContent(model);
    assertThat(file("scores")).hasBinaryContent(scores);
    RunOptions other = options.withCheckpoint(file("checkpoint"), 130, true, "another test");
    assertThatThrownBy(() -> Run.start(look(), SPEC, other, RunListener.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("belongs to another run: 'a test', not 'another test'");
    Files.writeString(file("scores"), "");
    assertThatThrownBy(() -> Run.start(look(), SPEC, options, RunListener.NONE))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("shorter than when the checkpoint was written");
  }

  private void finish(RunOptions options, long stop) throws IOException {
    finish(SPEC, options, stop);
  }

  private void finish(LearnerSpec spec, RunOptions options, long stop) throws IOException {
    finish(PreparedData.look(source(), spec, 100), spec, options, stop);
  }

  static void finish(PreparedData data, LearnerSpec spec, RunOptions options, long stop)
      throws IOException {
    RunListener listener =
        new RunListener() {
          private long read;

          @Override
          public void advanced(long instances) {
            read = instances;
          }

          @Override
          public boolean isStopRequested() {
            return read == stop;
          }
        };
    Run run = Run.start(data, spec, options, listener);
    run.learn();
    run.finish();
  }

  @Test
  void rowsAreGivenAsTheyStandInTheData() throws IOException {
    PreparedData looked = look();
    assertThat(looked.survey().scaler().scaling()).isEqualTo(Scaling.STANDARD);
    assertThat(looked.rows()).isEqualTo(ROWS);
    assertThat(looked.all().get(0).features().value(0)).isBetween(0.0, 10.0);
    assertThat(looked.sample(7)).hasSize(7).isEqualTo(looked.first(7));
    assertThat(looked.schema().labels()).containsExactlyInAnyOrder("high", "low");
  }

  @Test
  void badLinesAreLeftOutAndCountedOrEndTheRun() throws IOException {
    Files.writeString(data, text(ROWS) + "1,2,high,more\n3,4,\n5,,low\n");
    LeftOut imputed = leftOut(ReadOptions.DEFAULT);
    assertThat(imputed.badLines()).isEqualTo(1);
    assertThat(imputed.unlabelled()).isEqualTo(1);
    assertThat(imputed.firstBadLine().orElseThrow()).contains("data.csv:402: ");
    assertThat(imputed.missingValues()).isZero();
    LeftOut skipped = leftOut(ReadOptions.DEFAULT.withMissing(Missing.SKIP));
    assertThat(skipped.badLines()).isEqualTo(1);
    assertThat(skipped.missingValues()).isEqualTo(2);
    assertThatThrownBy(() -> PreparedData.look(source(), SPEC, 1))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("data.csv:402: ");
    Files.writeString(data, "a,b,label\n");
    assertThatThrownBy(() -> PreparedData.look(source(), SPEC, 1))
        .isInstanceOf(BadDataException.class)
        .hasMessageEndingWith("data.csv: there are no rows");
  }

  private LeftOut leftOut(ReadOptions reading) throws IOException {
    DataSource lenient = new DataSource(List.of(data.toString()), reading, true);
    Run run =
        Run.start(PreparedData.look(lenient, SPEC, 1), SPEC, RunOptions.DEFAULT, RunListener.NONE);
    assertThat(run.learn()).isTrue();
    return run.finish().leftOut();
  }

  @Test
  void aStreamIsLookedAtByItsFirstRows() throws IOException {
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(text(ROWS).getBytes(StandardCharsets.UTF_8)));
      PreparedData looked = PreparedData.look(DataSource.of("-"), SPEC, 50);
      assertThat(looked.isStream()).isTrue();
      assertThat(looked.rows()).isZero();
      assertThat(looked.survey().rows()).isEqualTo(50);
      assertThat(looked.sample(10)).hasSize(50);
      Run run = Run.start(looked, SPEC, RunOptions.DEFAULT, RunListener.NONE);
      assertThat(run.learn()).isTrue();
      assertThat(run.finish().metrics().instances()).isEqualTo(ROWS);
      assertThat(run.pipeline().status().instances()).isEqualTo(ROWS);
    } finally {
      System.setIn(before);
    }
  }

  /** As when someone presses Ctrl-C while a pipe is silent. */
  @Test
  void aRunThatWaitsForItsInputCanBeEndedFromOutside() throws Exception {
    CountDownLatch isSilent = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    InputStream before = System.in;
    try {
      System.setIn(silentAfter(text(ROWS), isSilent, mayGoOn));
      PreparedData looked = PreparedData.look(DataSource.of("-"), SPEC, 50);
      Run run = Run.start(looked, SPEC, RunOptions.DEFAULT, RunListener.NONE);
      boolean[] isWhole = {true};
      Thread learning =
          new Thread(
              () -> {
                try {
                  isWhole[0] = run.learn();
                } catch (IOException impossible) {
                  throw new IllegalStateException(impossible);
                }
              });
      learning.start();
      isSilent.await();
      long instances = run.finish().metrics().instances();
      mayGoOn.countDown();
      learning.join();
      assertThat(isWhole[0]).isFalse();
      assertThat(run.finish().metrics().instances()).isEqualTo(instances);
    } finally {
      mayGoOn.countDown();
      System.setIn(before);
    }
  }

  /** The text, then nothing until it may go on, then some rows more. */
  private static InputStream silentAfter(
      String text, CountDownLatch isSilent, CountDownLatch mayGoOn) {
    String more = "1,0.1,low\n".repeat(20_000);
    InputStream first = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    InputStream rest = new ByteArrayInputStream(more.getBytes(StandardCharsets.UTF_8));
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        int count = first.read(into, from, length);
        if (count > 0) {
          return count;
        }
        isSilent.countDown();
        try {
          mayGoOn.await();
        } catch (InterruptedException stopped) {
          throw new IOException(stopped);
        }
        return rest.read(into, from, length);
      }
    };
  }

  @Test
  void severalRunsAreThoseOfTheirSeeds() throws IOException {
    PreparedData looked = look();
    List<Instance> rows = looked.all();
    List<Long> told = new ArrayList<>();
    RunListener listener =
        new RunListener() {
          @Override
          public void advanced(long instances) {
            told.add(instances);
          }
        };
    RepeatedRuns three = new RepeatedRuns(looked, SPEC, RunOptions.DEFAULT, listener);
    List<RunReport> reports = three.run(rows, 3, Runnable::run);
    assertThat(told).hasSize(3 * ROWS).endsWith(3L * ROWS);
    for (int i = 0; i < 3; i++) {
      Pipeline pipeline = looked.rules(SPEC).pipeline();
      Prequential loop = new Prequential(pipeline, Metrics.of(pipeline, true));
      for (Instance row : PreparedData.shuffled(rows, 1 + i)) {
        loop.step(row.features(), row.label());
      }
      assertThat(reports.get(i).metrics().value()).isEqualTo(loop.metrics().value());
    }
  }

  @Test
  void aSavedModelAnswersTheSameRows() throws IOException {
    Run run =
        Run.start(look(), SPEC, RunOptions.DEFAULT.withModel(file("model")), RunListener.NONE);
    run.learn();
    run.finish();
    Scoring scoring = new Scoring(PreparedModel.load(file("model")));
    int[] rightAndAll = {0, 0};
    try (RowStream rows = scoring.open(source())) {
      Metrics metrics =
          scoring.run(
              rows,
              (label, answer) -> {
                rightAndAll[0] += label == answer.label() ? 1 : 0;
                rightAndAll[1]++;
              });
      assertThat(rightAndAll[1]).isEqualTo(ROWS);
      assertThat(metrics.value()).isEqualTo(100.0 * (ROWS - rightAndAll[0]) / ROWS);
    }
    Files.writeString(data, "a,b,label\n1,2,\n3,4,low\n");
    Scoring strict = new Scoring(PreparedModel.load(file("model"))).requireLabels();
    try (RowStream rows = strict.open(source())) {
      assertThat(strict.run(rows, (label, answer) -> {}).instances()).isEqualTo(1);
      assertThat(rows.leftOut().unlabelled()).isEqualTo(1);
    }
    Scoring lenient = new Scoring(PreparedModel.load(file("model")));
    try (RowStream rows = lenient.open(source())) {
      List<Double> labels = new ArrayList<>();
      Metrics metrics = lenient.run(rows, (label, answer) -> labels.add(label));
      assertThat(labels).hasSize(2);
      assertThat(metrics.instances()).isEqualTo(1);
    }
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> DataSource.of()).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RunOptions.DEFAULT.withPasses(0, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RunOptions.DEFAULT.withCheckpoint(null, 0, false, ""))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
