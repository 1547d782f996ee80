package org.avm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jsat.distributions.kernels.RBFKernel;
import jsat.linear.DenseVector;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The peers get the same rows and mean the same by γ, and the tables hold what was measured. */
class PeersTest {
  private static final Workload WORKLOAD = Workload.of("ijcnn1-like", 1500);

  @Test
  void libsvmAnswersAsOurModelDoes() {
    Avm avm = new Avm(WORKLOAD.options());
    for (Instance row : WORKLOAD.rows()) {
      avm.learn(row.features(), row.label());
    }
    AvmModel model = avm.snapshot();
    LibsvmModel libsvm = new LibsvmModel(model);
    for (int t = 0; t < 50; t++) {
      double ours = model.score(WORKLOAD.rows()[t].features())[0];
      double theirs = libsvm.score(LibsvmModel.nodes(WORKLOAD.rows()[t].features()));
      assertThat(theirs).isCloseTo(ours, within(1e-3 * (1 + Math.abs(ours))));
    }
  }

  @Test
  void jsatMeansTheSameByGamma() {
    RBFKernel kernel = new RBFKernel(RBFKernel.gammToSigma(0.7));
    double value = kernel.eval(DenseVector.toDenseVec(1, 2), DenseVector.toDenseVec(3, 1));
    assertThat(value).isCloseTo(Math.exp(-0.7 * 5), within(1e-12));
  }

  @Test
  void everyoneLearnsWhatAThresholdDecides() {
    Workload easy = new Workload("easy", easy(), WORKLOAD.options());
    Jsat jsat = new Jsat(easy);
    Moa moa = new Moa(easy);
    List<Rival> all =
        List.of(
            Ours.avm(easy, easy.options()),
            jsat.kernelSgd(1, 50, 1e-3),
            jsat.bogd(1, 50, 0.2),
            moa.sgd(0.1, 1e-4),
            moa.tree());
    for (Rival contender : all) {
      int late = 0;
      for (int t = 0; t < easy.rows().length; t++) {
        boolean isRight = contender.step(t);
        late += t >= 500 && isRight ? 1 : 0;
      }
      assertThat(late).isGreaterThan(900);
    }
  }

  /** 1500 rows whose label is the sign of a number that stands in a feature. */
  private static Instance[] easy() {
    Instance[] rows = Workload.of("ijcnn1-like", 1500).rows();
    for (int t = 0; t < rows.length; t++) {
      double[] x = new double[22];
      int sign = t % 3 == 0 ? 1 : -1;
      x[3] = sign * (0.5 + (t % 7) / 14.0);
      x[21] = 0.1;
      rows[t] = new Instance(Features.dense(x), sign);
    }
    return rows;
  }

  @Test
  void severalClassesArePutBesideEachOther() {
    PeerTable table = Peers.measure(List.of("covtype-like"), 400, 1);
    assertThat(table.column("method"))
        .contains("AVM sgd", "AVM newton", "our fogd", "JSAT KernelSGD", "MOA HoeffdingTree")
        .doesNotContain("JSAT BOGD");
    assertThat(table.column("rows")).containsOnly(400);
    assertThat(table.column("errorPercent"))
        .allSatisfy(error -> assertThat((Double) error).isBetween(10.0, 80.0));
    assertThat(table.column("nanos")).allSatisfy(nanos -> assertThat((Double) nanos).isPositive());
  }

  @Test
  void aChoiceIsTheOneWithTheFewestMistakes() {
    Peer peer =
        new Peer("any")
            .or("bad", () -> Ours.contender(t -> t % 2 == 0, () -> 1))
            .or("good", () -> Ours.contender(t -> t % 3 != 0, () -> 1));
    assertThat(peer.best(100).settings()).isEqualTo("good");
  }

  @Test
  void tablesAreWrittenAsCsvAndJson(@TempDir Path folder) throws Exception {
    PeerTable table = new PeerTable("name", "value").add("a, \"b\"", 1.5).add("c", 1234567);
    table.publish(folder, "result");
    assertThat(folder.resolve("result.csv"))
        .hasContent("name,value\n\"a, \"\"b\"\"\",1.5\nc,1234567\n");
    assertThat(Files.readString(folder.resolve("result.json")))
        .contains("\"value\" : 1.5", "\"value\" : 1234567");
    assertThat(table.text()).contains("1,234,567");
  }

  @Test
  void argumentsThatNobodyKnowsAreRefused() {
    assertThatThrownBy(() -> new Arguments(new String[] {"--row", "3"}, List.of("rows")))
        .hasMessageContaining("expected --NAME VALUE");
    assertThatThrownBy(
            () -> new Arguments(new String[] {"--rows", "0"}, List.of("rows")).number("rows", 5))
        .hasMessageContaining("must be at least 1");
  }
}
