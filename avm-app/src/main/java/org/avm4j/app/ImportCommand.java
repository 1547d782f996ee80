package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.avm4j.data.BadDataException;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.export.LibsvmImport;
import org.avm4j.io.DataReader;
import org.avm4j.io.ReadOptions;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code avm import}: converts a LIBSVM model into a model of ours. */
@Command(
    name = "import",
    description = {
      "Import a LIBSVM model with an RBF kernel.",
      "Supported are classification, regression and one-class models. The result predicts as"
          + " svm-predict does. With --warm-start it is a learner whose first core points are the"
          + " support vectors. It continues learning from DATA, if given, and later from Java."
    },
    footer = {
      "",
      "Examples:",
      "  avm import --libsvm svm.model -m imported.avm",
      "  avm import --libsvm svm.model --range svm.range -m imported.avm --warm-start train.libsvm"
    })
final class ImportCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "DATA",
      description =
          "With --warm-start: LIBSVM files to continue learning from; - is standard input.")
  List<String> data = List.of();

  @Option(
      names = "--libsvm",
      required = true,
      paramLabel = "FILE",
      description = "Model file written by svm-train.")
  Path libsvm;

  @Option(
      names = "--range",
      paramLabel = "FILE",
      description =
          "Range file written by svm-scale. Rows are scaled by it before they are scored.")
  Path range;

  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "MODEL",
      description = "File to save the model to.")
  Path model;

  @Option(
      names = "--warm-start",
      description = "Save a learner that can continue learning, instead of a frozen model.")
  boolean warmStart;

  @Override
  public Integer call() throws IOException {
    Failure.ifNotWritable(model, inputs());
    if (!data.isEmpty() && !warmStart) {
      throw Failure.usage("DATA needs --warm-start");
    }
    PreparedModel imported = LibsvmImport.read(libsvm, range);
    if (warmStart) {
      Pipeline learner = LibsvmImport.warmStart(imported);
      learn(learner);
      learner.save(model);
      printSaved("learner", learner.size());
    } else {
      imported.save(model);
      printSaved("model", imported.status().size());
    }
    return 0;
  }

  private void learn(Pipeline learner) throws IOException {
    Prequential run = new Prequential(learner, Metrics.of(learner, false));
    for (String name : data) {
      try (DataReader rows =
          DataReader.open(name, ReadOptions.DEFAULT, learner.preparation().schema())) {
        while (rows.next()) {
          step(run, name, rows);
        }
      }
    }
    if (!data.isEmpty()) {
      String name = learner.task().isRegression() ? "rmse" : "mistakeRate";
      System.out.printf(
          "%,d instances learned, %s %s%n",
          run.metrics().instances(),
          FigureText.words(name),
          FigureText.text(name, run.metrics().value()));
    }
  }

  private static void step(Prequential run, String name, DataReader rows) throws IOException {
    try {
      run.step(rows.features(), rows.label(), rows.weight());
    } catch (IllegalArgumentException refused) {
      throw new BadDataException(name, rows.line(), refused.getMessage());
    }
  }

  private void printSaved(String what, int vectors) {
    System.out.printf("%s of %,d vectors saved to %s%n", what, vectors, model);
  }

  private List<String> inputs() {
    List<String> inputs = new ArrayList<>(data);
    inputs.add(libsvm.toString());
    if (range != null) {
      inputs.add(range.toString());
    }
    return inputs;
  }
}
