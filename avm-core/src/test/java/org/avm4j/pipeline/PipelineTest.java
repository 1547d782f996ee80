package org.avm4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.Predictor;
import org.avm4j.Streams;
import org.avm4j.Update;
import org.avm4j.anomaly.AnomalyDetector;
import org.avm4j.anomaly.AnomalyOptions;
import org.avm4j.auto.AutoAvm;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Schema;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineTest {
  @TempDir Path folder;

  private static Pipeline learned() {
    ScalerFit fit = new ScalerFit(Scaling.SYMMETRIC);
    Streams.binary(300, 2, 1).forEach(i -> fit.observe(i.features()));
    Avm avm = new Avm(AvmOptions.binary().build());
    Pipeline pipeline =
        new Pipeline(new Preparation(new Schema(), fit.scaler(), new Labels.Pair(3, 8)), avm);
    Streams.binary(300, 2, 1).forEach(i -> pipeline.learn(i.features(), i.label() < 0 ? 3 : 8));
    return pipeline;
  }

  @Test
  void itAnswersInTheLabelsOfTheData() {
    assertThat(learned().classes()).containsExactly(3, 8);
    assertThat(learned().predict(Features.dense(0.5, 0.5))).isEqualTo(8);
    assertThat(learned().predict(Features.dense(-0.5, 0.5))).isEqualTo(3);
  }

  @Test
  void savedWithAllItsPartsItGoesOnAlike() throws IOException {
    Pipeline pipeline = learned();
    pipeline.save(folder.resolve("p.avm"));
    Pipeline loaded = Pipeline.load(folder.resolve("p.avm"));
    for (Instance instance : Streams.binary(100, 2, 2)) {
      double y = instance.label() < 0 ? 3 : 8;
      assertThat(loaded.score(instance.features())).isEqualTo(pipeline.score(instance.features()));
      loaded.learn(instance.features(), y);
      pipeline.learn(instance.features(), y);
    }
  }

  @Test
  void aThresholdDecidesAndIsKept() throws IOException {
    Pipeline pipeline = learned();
    byte[] plain = pipeline.toBytes();
    pipeline.decideBy(new CostThreshold(0.4, true, new Costs(10, 1), 60));
    pipeline.save(folder.resolve("p.avm"));
    pipeline.snapshot().save(folder.resolve("m.avm"));
    Pipeline loaded = Pipeline.load(folder.resolve("p.avm"));
    PreparedModel frozen = PreparedModel.load(folder.resolve("m.avm"));
    int differ = 0;
    for (Instance instance : Streams.binary(200, 2, 2)) {
      Features x = instance.features();
      double score = pipeline.score(x)[0];
      double expected = score >= 0.4 ? 8 : 3;
      assertThat(pipeline.predict(x)).isEqualTo(expected);
      assertThat(loaded.answer(x).label()).isEqualTo(expected);
      assertThat(frozen.predict(x)).isEqualTo(expected);
      assertThat(frozen.answer(x).label()).isEqualTo(expected);
      assertThat(score + frozen.priorScores()[0] >= 0).isEqualTo(expected == 8);
      differ += expected == (score >= 0 ? 8 : 3) ? 0 : 1;
    }
    assertThat(differ).isPositive();
    assertThat(frozen.threshold()).contains(new CostThreshold(0.4, true, new Costs(10, 1), 60));
    assertThat(loaded.toBytes()).isEqualTo(pipeline.toBytes()).isNotEqualTo(plain);
    pipeline.decideBy(null);
    assertThat(pipeline.toBytes()).isEqualTo(plain);
    loaded.reset();
    assertThat(loaded.snapshot().threshold()).isEmpty();
  }

  @Test
  void lagsAreKeptAndRowsWithoutAPlaceAreRefused() throws IOException {
    Pipeline pipeline = learned();
    LabelLags lags = new LabelLags(2, 7, 1, List.of(1.5, 2.5, 3.5));
    pipeline.follow(lags);
    pipeline.save(folder.resolve("p.avm"));
    pipeline.snapshot().save(folder.resolve("m.avm"));
    assertThat(Pipeline.load(folder.resolve("p.avm")).lags()).contains(lags);
    PreparedModel model = PreparedModel.load(folder.resolve("m.avm"));
    assertThat(model.lags()).contains(lags);
    String reason = "the model sees labels of earlier rows";
    assertThatThrownBy(() -> model.answer(Map.of("a", 1))).hasMessageContaining(reason);
    assertThatThrownBy(() -> pipeline.answer(Map.of("a", 1))).hasMessageContaining(reason);
    assertThatThrownBy(() -> pipeline.learn(Map.of("a", 1), 3, 1)).hasMessageContaining(reason);
    assertThatThrownBy(() -> new LabelLags(0, 7, 1, List.of())).hasMessageContaining("from 1");
    assertThatThrownBy(() -> new LabelLags(1, 7, 0, List.of(1.0, 2.0)))
        .hasMessageContaining("at most 1 last labels");
  }

  @Test
  void aBareLearnerIsAPipelineThatChangesNothing() throws IOException {
    Avm avm = new Avm(AvmOptions.binary().build());
    avm.learn(Features.dense(1, 2), -1);
    avm.save(folder.resolve("bare.avm"));
    Pipeline loaded = Pipeline.load(folder.resolve("bare.avm"));
    assertThat(loaded.score(Features.dense(1, 1))).isEqualTo(avm.score(Features.dense(1, 1)));
  }

  @Test
  void aModelAnswersWhatItsLearnerDoes() throws IOException {
    Pipeline pipeline = learned();
    AvmModel inside = pipeline.snapshot().inspect(AvmModel.class).orElseThrow();
    new PreparedModel(pipeline.preparation(), inside).save(folder.resolve("m.avm"));
    PreparedModel model = PreparedModel.load(folder.resolve("m.avm"));
    assertThat(model.classes()).containsExactly(3, 8);
    for (Instance instance : Streams.binary(100, 2, 2)) {
      assertThat(model.score(instance.features())).isEqualTo(pipeline.score(instance.features()));
      assertThat(model.predict(instance.features()))
          .isEqualTo(pipeline.predict(instance.features()));
    }
    pipeline.save(folder.resolve("p.avm"));
    PreparedModel fromLearner = PreparedModel.load(folder.resolve("p.avm"));
    Features probe = Features.dense(0.1, 0.2);
    assertThat(fromLearner.score(probe)).isEqualTo(pipeline.score(probe));
    assertThatThrownBy(() -> Pipeline.load(folder.resolve("m.avm")))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("the file holds 'avm-prepared-model', a model that cannot go on");
  }

  @Test
  void numbersAreAnsweredOnTheirOwnScale() throws IOException {
    Avm avm = new Avm(AvmOptions.regression().update(Update.newton()).build());
    Preparation preparation =
        new Preparation(new Schema(), Scaler.none(), new Labels.Standard(2000, 10));
    Pipeline pipeline = new Pipeline(preparation, avm);
    Streams.regression(500, 2, 1).forEach(i -> pipeline.learn(i.features(), 2000 + 10 * i.label()));
    Features x = Features.dense(0.3, 0.4);
    double truth = 2000 + 10 * (Math.sin(0.9) + 0.16);
    assertThat(pipeline.predict(x)).isBetween(truth - 2, truth + 2);
    assertThat(pipeline.score(x)).containsExactly(pipeline.predict(x));
    pipeline.save(folder.resolve("r.avm"));
    assertThat(PreparedModel.load(folder.resolve("r.avm")).predict(x))
        .isEqualTo(pipeline.predict(x));
  }

  /** A reader uses one row again and again. */
  @Test
  void aRowThatChangesInPlaceIsScaledAnew() {
    Pipeline pipeline = learned();
    PreparedModel model = pipeline.snapshot();
    Features.Buffer row = new Features.Buffer();
    for (double[] x : new double[][] {{0.1, 0.2}, {0.1, 0.3}, {0.1}, {0, 0.1}, {0.1, 0.2}}) {
      row.clear();
      for (int i = 0; i < x.length; i++) {
        row.add(i, x[i]);
      }
      assertThat(pipeline.score(row.features())).isEqualTo(model.score(row.features()));
      assertThat(pipeline.predict(row.features())).isEqualTo(model.predict(row.features()));
    }
  }

  @Test
  void aRowFarBeyondTheScaleIsAnswered() {
    ScalerFit fit = new ScalerFit(Scaling.UNIT);
    fit.observe(Features.dense(0, 1e-300));
    fit.observe(Features.dense(4, 2e-300));
    Pipeline pipeline =
        new Pipeline(
            new Preparation(new Schema(), fit.scaler(), new Labels.Plain()),
            new Avm(AvmOptions.binary().build()));
    pipeline.learn(Features.dense(2), 1);
    assertThat(pipeline.score(Features.dense(0, 1e300))[0]).isFinite();
    pipeline.learn(Features.dense(0, 1e15), -1);
    assertThat(pipeline.status().instances()).isEqualTo(2);
  }

  @Test
  void aFileGivesItsLearnerWhereItHoldsOne() throws IOException {
    Pipeline pipeline = learned();
    ModelFile learner = ModelFile.parse(pipeline.toBytes());
    ModelFile model = ModelFile.parse(pipeline.snapshot().toBytes());
    assertThat(FileKinds.installed().predictor(Predictor.class, learner))
        .isInstanceOf(Pipeline.class);
    assertThat(FileKinds.installed().predictor(Predictor.class, learner).status())
        .isEqualTo(pipeline.status());
    assertThat(FileKinds.installed().predictor(Predictor.class, model))
        .isInstanceOf(PreparedModel.class);
    Features x = Features.dense(0.1, 0.2);
    assertThat(PreparedModel.of(learner).answer(x)).isEqualTo(PreparedModel.of(model).answer(x));
  }

  @Test
  void aThirdLabelIsRefused() {
    assertThatThrownBy(() -> learned().learn(Features.dense(1), 5))
        .hasMessage("this binary task has the labels '3' and '8', found '5'");
  }

  @Test
  void rowsComeByColumnName() throws IOException {
    Pipeline pipeline = byName();
    Prediction answer = pipeline.answer(row("age", 8, "colour", "blue"));
    PreparedModel model = pipeline.snapshot();
    assertThat(model.answer(row("colour", "blue", "age", 8, "new", 5))).isEqualTo(answer);
    assertThat(model.labelText(answer)).isEqualTo("ham");
    assertThat(model.answer(Features.dense(8, 0, 1))).isEqualTo(answer);
    pipeline.save(folder.resolve("n.avm"));
    PreparedModel loaded = PreparedModel.load(folder.resolve("n.avm"));
    assertThat(loaded.answer(row("age", "8", "colour", "blue"))).isEqualTo(answer);
    assertThat(loaded.answer(row("colour", "red")))
        .isEqualTo(pipeline.answer(row("colour", "red")));
  }

  @Test
  void anAnswerTeachesNoNames() {
    Pipeline pipeline = byName();
    byte[] before = pipeline.toBytes();
    pipeline.answer(row("age", 9, "colour", "green", "new", 1));
    assertThat(pipeline.toBytes()).isEqualTo(before);
  }

  @Test
  void aRowByNameHasAWeight() {
    Pipeline pipeline = byName();
    Pipeline other = byName();
    pipeline.learn(row("age", 5, "colour", "red"), "ham", 2);
    other.learn(Features.dense(5, 1), 1, 2);
    assertThat(pipeline.answer(row("age", 3, "colour", "blue")))
        .isEqualTo(other.answer(row("age", 3, "colour", "blue")));
  }

  @Test
  void whatIsRefusedByNameIsNotLearned() {
    Pipeline pipeline = byName();
    byte[] before = pipeline.toBytes();
    assertThatThrownBy(() -> pipeline.learn(row("new", 1, "age", "x"), "ham", 1))
        .hasMessage("column 'age' holds finite numbers, found 'x'");
    assertThatThrownBy(() -> pipeline.learn(row("new", 1, "age", 5), null, 1))
        .hasMessage("a row to learn must have a label");
    assertThatThrownBy(() -> pipeline.learn(row("new", 1, "age", 5), "ham", -1))
        .hasMessage("the weight of an instance must be > 0 and finite: -1.0");
    assertThat(pipeline.toBytes()).isEqualTo(before);
  }

  @Test
  void anAnomalyIsNoLabelOfTheData() {
    Pipeline pipeline =
        new Pipeline(Preparation.none(), new AnomalyDetector(AnomalyOptions.DEFAULT));
    pipeline.preparation().schema().label("normal");
    pipeline.preparation().schema().label("attack");
    pipeline.learn(row("size", 1), null, 1);
    PreparedModel model = pipeline.snapshot();
    assertThat(model.labelText(new Prediction(1, new double[0], new double[1]))).isEqualTo("1");
  }

  @Test
  void aModelWithoutNamesTakesNoRowsByName() {
    assertThatThrownBy(() -> learned().snapshot().answer(row("age", 1)))
        .hasMessage("the model knows no column names, for it learned from rows without them");
  }

  private static Pipeline byName() {
    Pipeline pipeline = new Pipeline(Preparation.none(), new Avm(AvmOptions.multiclass().build()));
    for (int i = 0; i < 10; i++) {
      pipeline.learn(row("age", 42 + i, "colour", "red"), "spam", 1);
      pipeline.learn(row("age", 7 - i, "colour", "blue"), "ham", 1);
    }
    return pipeline;
  }

  @Test
  void textLabelsAreLearnedByAutomaticMode() {
    Preparation preparation = Preparation.none();
    Pipeline pipeline = new Pipeline(preparation, new AutoAvm());
    for (int i = 0; i < 100; i++) {
      pipeline.learn(row("age", 42 + i, "colour", "red"), "spam", 1);
      pipeline.learn(row("age", -7 - i, "colour", "blue"), "ham", 1);
    }
    double answer = pipeline.answer(row("age", 50, "colour", "red")).label();
    assertThat(preparation.schema().labelText(answer)).isEqualTo("spam");
  }

  private static Map<String, Object> row(Object... namesAndValues) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return row;
  }
}
