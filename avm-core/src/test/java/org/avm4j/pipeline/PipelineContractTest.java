package org.avm4j.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.LearnerContract;
import org.avm4j.Limit;
import org.avm4j.OnlineLearner;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoAvm;
import org.avm4j.auto.AutoOptions;
import org.avm4j.conformal.Conformal;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;
import org.avm4j.data.Schema;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Pipelines under the contract of all learners. */
@Tag("slow")
class PipelineContractTest {
  private static final int SIZE = 60;

  abstract static class Form extends LearnerContract {
    @Override
    protected OnlineLearner load(Path file) throws IOException {
      return Pipeline.load(file);
    }

    @Override
    protected int bound() {
      return SIZE;
    }
  }

  private static Preparation scaled(Task task, Labels labels) {
    ScalerFit fit = new ScalerFit(Scaling.SYMMETRIC);
    Streams.of(task, 100, 5, 77).forEach(row -> fit.observe(row.features()));
    return new Preparation(new Schema(), fit.scaler(), labels);
  }

  private static Avm avm(AvmOptions.Builder builder) {
    return new Avm(
        builder
            .coverage(Coverage.sphere(0.5))
            .update(Update.newton())
            .maxSize(SIZE, Limit.APPROXIMATE)
            .build());
  }

  @Nested
  class BinaryCalibrated extends Form {
    @Override
    protected Task task() {
      return Task.binary();
    }

    @Override
    protected OnlineLearner make() {
      Preparation signs = new Preparation(new Schema(), Scaler.none(), Labels.Pair.SIGNS);
      return new Pipeline(signs, avm(AvmOptions.binary()), new Calibrator(), ClassPrior.none());
    }
  }

  @Nested
  class MulticlassCalibratedAndScaled extends Form {
    @Override
    protected Task task() {
      return Task.multiclass();
    }

    @Override
    protected OnlineLearner make() {
      Preparation scaled = scaled(task(), new Labels.Plain());
      return new Pipeline(
          scaled, avm(AvmOptions.multiclass()), new Calibrator(), ClassPrior.none());
    }
  }

  @Nested
  class RegressionStandard extends Form {
    @Override
    protected Task task() {
      return Task.regression();
    }

    @Override
    protected OnlineLearner make() {
      return new Pipeline(scaled(task(), new Labels.Standard(0, 2)), avm(AvmOptions.regression()));
    }
  }

  @Nested
  class RegressionCertain extends Form {
    @Override
    protected Task task() {
      return Task.regression();
    }

    @Override
    protected OnlineLearner make() {
      return new Pipeline(
          scaled(task(), new Labels.Standard(0, 2)),
          avm(AvmOptions.regression()),
          null,
          ClassPrior.none(),
          new Conformal(0.9));
    }
  }

  @Nested
  class MulticlassCertain extends Form {
    @Override
    protected Task task() {
      return Task.multiclass();
    }

    @Override
    protected OnlineLearner make() {
      return new Pipeline(
          scaled(task(), new Labels.Plain()),
          avm(AvmOptions.multiclass()),
          new Calibrator(),
          ClassPrior.counting(),
          new Conformal(0.8));
    }
  }

  @Nested
  class AutomaticCalibrated extends Form {
    @Override
    protected Task task() {
      return Task.multiclass();
    }

    @Override
    protected OnlineLearner make() {
      return new Pipeline(
          Preparation.none(),
          new AutoAvm(AutoOptions.all(SIZE)),
          new Calibrator(),
          ClassPrior.none());
    }
  }

  @Nested
  class TreeCalibratedAndScaled extends Form {
    @Override
    protected Task task() {
      return Task.multiclass();
    }

    @Override
    protected OnlineLearner make() {
      AvmOptions machine =
          AvmOptions.multiclass()
              .coverage(Coverage.sphere(1e-9))
              .update(Update.newton())
              .maxSize(10, Limit.MERGE)
              .build();
      AvmTree tree = new AvmTree(new TreeOptions(machine, 5, 3, SIZE));
      return new Pipeline(
          scaled(task(), new Labels.Plain()), tree, new Calibrator(), ClassPrior.none());
    }
  }
}
