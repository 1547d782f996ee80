package org.avm4j.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmWriter;
import org.avm4j.data.Scaler;
import org.avm4j.math.SplitMix;
import org.avm4j.spec.LearnerSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns that matter are found, whatever their shape, and columns that are alike stay alike. */
class ColumnStudyTest {
  private static final LearnerSpec SPEC = LearnerSpec.automatic().with("change", "none");
  private static final int COLUMNS = 12;

  @TempDir Path folder;

  @Test
  void columnsThatMatterWeighMost() throws IOException {
    PreparedData data = data(rows(1500, x -> 4 * Math.sin(3 * x[0]) + 8 * x[1] * x[1]));
    ColumnStudy study = new ColumnStudy(data, SPEC);
    Scaler found = study.run().orElseThrow();
    for (int i = 2; i < COLUMNS; i++) {
      assertThat(found.factor(i)).isLessThan(0.3 * Math.min(found.factor(0), found.factor(1)));
    }
    assertThat(study.heaviest(2))
        .allMatch(text -> text.startsWith("x1 ") || text.startsWith("x2 "));
    double alike = study.rounds().get(0).value();
    assertThat(study.best().orElseThrow().value()).isLessThan(0.7 * alike);
    assertThat(study.pipeline()).isPresent();
  }

  @Test
  void theWeightsAreUsedByARun() throws IOException {
    PreparedData data = data(rows(1200, x -> 8 * x[1] * x[1]));
    Scaler found = new ColumnStudy(data, SPEC).run().orElseThrow();
    data.weigh(found);
    Run run = Run.start(data, SPEC, RunOptions.DEFAULT.withPasses(1, true), RunListener.NONE);
    assertThat(run.pipeline().preparation().scaler()).isSameAs(found);
    assertThat(data.rules(SPEC).spec().has(LearnerSpec.SCALE)).isFalse();
  }

  @Test
  void labelsThatNothingTellsLeaveColumnsAlike() throws IOException {
    SplitMix random = new SplitMix(7);
    PreparedData data = data(rows(1000, x -> random.getAsDouble()));
    assertThat(new ColumnStudy(data, SPEC).run()).isEmpty();
  }

  @Test
  void aStudyThatIsStoppedEndsAtOnce() throws IOException {
    PreparedData data = data(rows(1000, x -> x[0]));
    RunListener impatient =
        new RunListener() {
          @Override
          public boolean isStopRequested() {
            return true;
          }
        };
    ColumnStudy study = new ColumnStudy(data, SPEC, impatient, round -> {});
    assertThat(study.run()).isEqualTo(Optional.empty());
    assertThat(study.rounds()).isEmpty();
  }

  @Test
  void fewRowsAndGivenScalingsAreNotStudied() throws IOException {
    PreparedData data = data(rows(1000, x -> x[0]));
    assertThat(ColumnStudy.isFor(data, SPEC)).isTrue();
    assertThat(ColumnStudy.isFor(data, SPEC.with("scale", "unit"))).isFalse();
    assertThat(ColumnStudy.isFor(data, SPEC.with("gamma", 1))).isFalse();
    assertThat(ColumnStudy.isFor(data(rows(999, x -> x[0])), SPEC)).isFalse();
  }

  @Test
  void residualsShowWhatAloneOrInPairsIsMissed() {
    List<Instance> rows = rows(2000, x -> 0);
    ColumnMoments moments = new ColumnMoments(rows);
    ResidualScreen screen = new ResidualScreen(rows, moments);
    double[] even = screen.metric(residuals(rows, x -> x.get(3) * x.get(3)));
    double[] pair = screen.metric(residuals(rows, x -> x.get(4) * x.get(5)));
    for (int i = 0; i < COLUMNS; i++) {
      assertThat(even[i] > 0.01).isEqualTo(i == 3);
      assertThat(pair[i] > 0.01).isEqualTo(i == 4 || i == 5);
    }
  }

  private static double[] residuals(List<Instance> rows, ToDoubleFunction<Features> left) {
    return rows.stream().mapToDouble(row -> left.applyAsDouble(row.features())).toArray();
  }

  /** Rows of numbers in [-1, 1] with a little noise on the label. */
  private static List<Instance> rows(int count, ToDoubleFunction<double[]> label) {
    SplitMix random = new SplitMix(1);
    List<Instance> rows = new ArrayList<>();
    for (int t = 0; t < count; t++) {
      double[] x = new double[COLUMNS];
      for (int i = 0; i < COLUMNS; i++) {
        x[i] = 2 * random.getAsDouble() - 1;
      }
      double noise = 0.2 * (random.getAsDouble() - 0.5);
      rows.add(new Instance(Features.dense(x), label.applyAsDouble(x) + noise));
    }
    return rows;
  }

  private PreparedData data(List<Instance> rows) throws IOException {
    Path file = Files.createTempFile(folder, "rows", ".libsvm");
    try (LibsvmWriter out = new LibsvmWriter(Files.newOutputStream(file))) {
      for (Instance row : rows) {
        out.write(row.features(), row.label());
      }
    }
    return PreparedData.look(DataSource.of(file.toString()), SPEC, 1000);
  }
}
