package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.Status;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFile;
import org.avm4j.explain.Importance;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;

/**
 * The content of a model file.
 *
 * @param writtenBy the version of the library that wrote it
 * @param frozen the frozen model, as --freeze saves it
 * @param model the same for rows that do not continue the stream from which it learned
 * @param status the status of the learner, or of the model if the file holds no learner
 */
record SavedModel(String writtenBy, PreparedModel frozen, PreparedModel model, Status status) {
  static SavedModel load(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new Failure(Failure.NO_INPUT, file + ": is a folder, expected a model");
    }
    ModelFile found = ModelFile.open(file);
    PreparedModel frozen = PreparedModel.of(found);
    return new SavedModel(
        found.libraryVersion(),
        frozen,
        frozen.detached(),
        FileKinds.installed().predictor(Predictor.class, found).status());
  }

  /** The number of features that the model has seen, by its core points and usual values. */
  int width() {
    int usual = model.preparation().background().usual().map(Features::dimension).orElse(0);
    return model.corePoints(Integer.MAX_VALUE).stream()
        .mapToInt(point -> point.x().dimension())
        .reduce(usual, Math::max);
  }

  /** How much the model depends on each column; empty if training did not measure it. */
  Optional<Importance> importance() {
    return model.preparation().background().importance();
  }

  boolean isUnsupervised() {
    return model.task().isUnsupervised();
  }

  /** The scaling of features that was given, or that automatic mode chose. */
  String scaling() {
    if (!model.members().isEmpty()) {
      return "by learner";
    }
    Scaling given = model.preparation().scaler().scaling();
    String chosen = status.automatic().map(Status.Automatic::scaling).orElse(given.word());
    return given == Scaling.NONE ? chosen : given.word();
  }

  /**
   * An answer as printed: a label of the data; 1 for an anomaly and -1 for none; or the number of a
   * cluster.
   */
  String text(double answer) {
    return isUnsupervised()
        ? Integer.toString((int) answer)
        : model.preparation().schema().labelText(answer);
  }

  /** Whether a label is one of the classes; always true if the model has no classes. */
  boolean knows(double label) {
    return model.task().isRegression()
        || isUnsupervised()
        || Arrays.stream(model.classes()).anyMatch(known -> known == label);
  }

  List<String> classes() {
    List<String> labels = new ArrayList<>();
    for (double label : model.classes()) {
      labels.add(text(label));
    }
    return labels;
  }
}
