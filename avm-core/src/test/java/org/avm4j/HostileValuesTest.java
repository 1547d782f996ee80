package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.machine.MergeCosts;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;
import org.avm4j.points.RunningScale;
import org.avm4j.step.ClassCounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that fit their types but nothing else: what chance hardly ever finds. */
class HostileValuesTest {
  private static void refused(Encoder content, ModelFile.Content<?> reader, String part) {
    assertThatThrownBy(() -> reader.read(new Decoder(content.toBytes())))
        .isInstanceOf(ModelFileException.class)
        .hasMessageStartingWith("damaged content: ")
        .hasMessageContaining(part);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void aKernelWithoutAWidthIsRefused(double gamma) {
    Encoder out = new Encoder();
    out.int32(1);
    out.float64(gamma);
    refused(out, Kernel::decode, "gamma must be > 0 and finite: " + gamma);
  }

  private static Encoder model(double[] classes) {
    Avm avm = new Avm(AvmOptions.binary().build());
    Encoder out = new Encoder();
    out.section("provenance", section -> AvmCodec.encode(section, avm.provenance()));
    out.int32(classes.length);
    out.doubles(classes, classes.length);
    out.section("core", new CoreSet()::encode);
    out.float64(1);
    out.int32(1);
    out.doubles(new double[0], 0);
    return out;
  }

  @Test
  void theClassesOfAModelAreThoseOfItsTask() throws ModelFileException {
    AvmModel good = AvmModel.decode(new Decoder(model(new double[] {-1, 1}).toBytes()));
    assertThat(good.predict(Features.dense(1))).isEqualTo(1);
    refused(model(new double[] {-1, 1, 2}), AvmModel::decode, "must be those of the task");
    refused(model(new double[0]), AvmModel::decode, "must be those of the task");
    refused(model(new double[] {1, -1}), AvmModel::decode, "must ascend");
  }

  /** A vector alone has no nearest; the next one must become it, whatever a file says. */
  @Test
  void aVectorAloneIsNearToTheNextOne() throws ModelFileException {
    Encoder out = new Encoder();
    for (double number : new double[] {0, 1, 0}) {
      out.doubles(new double[] {number}, 1);
    }
    out.bool(true);
    out.int32(-1);
    out.doubles(new double[] {0}, 1);
    out.doubles(new double[] {0}, 1);
    MergeCosts mergeCosts = MergeCosts.decode(new Decoder(out.toBytes()), 1);
    CoreSet core = new CoreSet();
    KernelRow row = new KernelRow(core, Kernel.gaussian(1));
    row.measure(Features.dense(1));
    core.add(row, true);
    row.measure(Features.dense(2));
    core.add(row, true);
    mergeCosts.add(row, 1, 0);
    assertThat(mergeCosts.nearest(0)).isEqualTo(1);
    assertThat(mergeCosts.nearest(1)).isZero();
  }

  @Test
  void aFeatureBeyondAllDistancesIsRefused() {
    Encoder out = new Encoder();
    out.int32(1);
    out.int32(1);
    out.bool(true);
    out.int32(1);
    out.int32(0);
    out.floats(new float[] {3e38f}, 1);
    refused(out, CoreSet::decode, "a feature must be within ±1e15");
  }

  @Test
  void zeroIsOneClassWhateverItsSign() throws IOException {
    Avm avm = new Avm(AvmOptions.multiclass().task(Task.multiclass(-0.0, 0.0, 1)).build());
    assertThat(avm.classes()).containsExactly(0, 1);
    avm.learn(Features.dense(1), -0.0);
    assertThat(OnlineLearner.fromBytes(avm.toBytes()).classes()).containsExactly(0, 1);
  }

  @Test
  void labelsThatDoNotFitTheTaskBreakNothing() {
    for (Labels labels : List.of(new Labels.Standard(1, 2), Labels.Pair.SIGNS)) {
      Preparation odd = new Preparation(new Schema(), Scaler.none(), labels);
      Pipeline pipeline = new Pipeline(odd, new Avm(AvmOptions.multiclass().build()));
      assertThatCode(() -> pipeline.answer(Features.dense(1))).doesNotThrowAnyException();
      assertThatCode(() -> pipeline.predict(Features.dense(1))).doesNotThrowAnyException();
    }
  }

  @Test
  void moreClassesCountedThanThereAreIsRefused() {
    Encoder out = new Encoder();
    out.int32(3);
    out.doubles(new double[] {1, 1, 1}, 3);
    refused(
        out,
        in -> ClassCounts.decode(in, ClassWeights.balanced(), Task.binary().columns()),
        "the number of counted classes must be from 0 to 2: 3");
  }

  private static Encoder scale(double origin, double factor, long entries) {
    Encoder out = new Encoder();
    out.int64(7);
    out.int32(1);
    out.int32(1);
    out.int32(0);
    out.float64(origin);
    out.int32(1);
    for (double number : new double[] {0, 1, factor}) {
      out.doubles(new double[] {number}, 1);
    }
    out.int64(entries);
    return out;
  }

  @Test
  void aScaleThatNoStreamHasIsRefused() throws ModelFileException {
    RunningScale good = RunningScale.decode(new Decoder(scale(2, 0.5, 7).toBytes()));
    assertThat(good.dimension()).isEqualTo(1);
    refused(scale(1e200, 0.5, 7), RunningScale::decode, "must be within ±1e100");
    refused(scale(2, 1e-200, 7), RunningScale::decode, "a scale must be 0 or at least 1.0E-110");
    refused(scale(2, -1, 7), RunningScale::decode, "a scale must be 0 or at least 1.0E-110");
    refused(scale(2, 0.5, 8), RunningScale::decode, "must not have more entries than rows: 8");
  }

  @Test
  void aHostileNameIsNotPrintedAsItIs() {
    byte[] file = HostileBytes.framed(2, payload("avm\u001b[31m"));
    assertThatThrownBy(() -> Model.fromBytes(file))
        .isInstanceOf(ModelFileException.class)
        .hasMessage("damaged content: a name must be short and printable: avm?[31m");
    byte[] longer = HostileBytes.framed(2, payload("x".repeat(1000)));
    assertThatThrownBy(() -> Model.fromBytes(longer)).message().hasSizeLessThan(120);
  }

  private static byte[] payload(String kind) {
    Encoder out = new Encoder();
    out.text(kind);
    out.text("1.0");
    return out.toBytes();
  }

  /** Only what rows and vectors have is looked at, not all that lies between. */
  @Test
  void howFarApartIndicesAreDoesNotMatter() {
    AvmOptions options = AvmOptions.binary().coverage(Coverage.sphere(0.5)).build();
    Avm near = new Avm(options);
    Avm far = new Avm(options);
    Streams.binary(200, 3, 1)
        .forEach(
            row -> {
              near.learn(spread(row.features(), 100), row.label());
              far.learn(spread(row.features(), 5_000_000), row.label());
            });
    assertThat(far.dimension()).isEqualTo(10_000_001);
    Streams.binary(100, 3, 2)
        .forEach(
            row ->
                assertThat(far.score(spread(row.features(), 5_000_000)))
                    .isEqualTo(near.score(spread(row.features(), 100))));
  }

  private static Features spread(Features x, int gap) {
    int[] index = {0, gap, 2 * gap};
    return Features.sparse(index, new double[] {x.get(0), x.get(1), x.get(2)});
  }
}
