package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.HostileContract;
import org.avm4j.Kernel;
import org.avm4j.OnlineLearner;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;

/** Files of automatic mode, damaged and forged; the next instance may start a race again. */
class HostileAutoTest extends HostileContract {
  private static final int FEW_FEATURES = 1000;

  @Override
  protected Map<String, byte[]> files() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("fresh", new AutoAvm(AutoOptions.all(4), 1.5).toBytes());
    files.put("binary", learned(Streams.binary(6, 2, 7)));
    files.put("multiclass", learned(Streams.multiclass(24, 3, 5)));
    files.put("regression", learned(Streams.regression(30, 3, 6)));
    return files;
  }

  private static byte[] learned(List<Instance> stream) {
    AutoAvm auto = new AutoAvm(AutoOptions.all(4));
    stream.forEach(row -> auto.learn(row.features(), row.label()));
    return auto.toBytes();
  }

  @Override
  protected int mutations() {
    return 800;
  }

  /** Sixteen million features are allowed, but twelve candidates take their time with them. */
  @Override
  protected boolean isQuick(OnlineLearner learner) {
    return ((AutoAvm) learner)
        .state.kept.first().stream().allMatch(row -> row.features().dimension() <= FEW_FEATURES);
  }

  @Test
  void aKeptInstanceThatCouldNotBeLearnedIsRefused() {
    for (Instance bad :
        List.of(
            new Instance(Features.dense(1e16), 1),
            new Instance(Features.dense(1), 1e200),
            new Instance(Features.dense(1), 1, -1),
            new Instance(Features.dense(1), 1, 1e16))) {
      AutoAvm auto = new AutoAvm();
      auto.state.kept.addFirst(bad);
      assertThatThrownBy(() -> OnlineLearner.fromBytes(auto.toBytes()))
          .isInstanceOf(ModelFileException.class)
          .hasMessageStartingWith("damaged content: ");
    }
  }

  @Test
  void aCandidateThatCannotRunIsRefused() {
    refused(
        new Candidate(Scaling.NONE, Kernel.gaussian(1), -1, 1, 9, -1, Metric.NONE), "the width");
    refused(new Candidate(Scaling.NONE, Kernel.gaussian(1), 1, 0, 9, -1, Metric.NONE), "the prior");
    refused(
        new Candidate(Scaling.NONE, Kernel.gaussian(1), 1, 1, -9, -1, Metric.NONE), "the size cap");
  }

  private static void refused(Candidate candidate, String what) {
    Encoder out = new Encoder();
    candidate.encode(out);
    assertThatThrownBy(() -> Candidate.decode(new Decoder(out.toBytes())))
        .isInstanceOf(ModelFileException.class)
        .hasMessageStartingWith("damaged content: " + what);
  }

  @Test
  void zeroIsOneLabelWhateverItsSign() {
    AutoAvm auto = new AutoAvm(AutoOptions.all(4));
    for (int t = 0; t < 40; t++) {
      auto.learn(Features.dense(t % 7, t % 5), t % 3 == 0 ? -0.0 : t % 3 == 1 ? 0.0 : 1);
    }
    assertThat(auto.classes()).containsExactly(0, 1);
    assertThat(auto.task()).isEqualTo(Task.binary());
  }
}
