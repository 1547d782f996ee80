package org.avm4j.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.avm4j.AvmModel;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;

/**
 * A predictor behind a {@link Preparation}: it answers rows as they stand in the data. It can be
 * had from every file that the command {@code avm} writes; one that holds a learner gives the
 * learner.
 *
 * <p>In a file it looks like a {@link Pipeline} with the kind {@code avm-model} inside.
 */
public final class PreparedModel implements Predictor {
  private final Preparation preparation;
  private final Predictor predictor;
  private final Calibration calibration;

  /** The predictor behind the preparation. */
  public PreparedModel(Preparation preparation, Predictor predictor) {
    this(preparation, predictor, null);
  }

  /**
   * The predictor behind the preparation, and probabilities of its classes unless null is given.
   */
  PreparedModel(Preparation preparation, Predictor predictor, Calibration calibration) {
    this.preparation = preparation;
    this.predictor = predictor;
    this.calibration = calibration;
  }

  /** What comes before the predictor. */
  public Preparation preparation() {
    return preparation;
  }

  /** The predictor inside: a model, or a learner. */
  public Predictor predictor() {
    return predictor;
  }

  /** What makes probabilities of scores, if the model was learned with it. */
  public Optional<Calibration> calibration() {
    return Optional.ofNullable(calibration);
  }

  /** The probability of each class in ascending order of label; a calibration is needed. */
  public double[] probabilities(Features x) {
    double[] scores = predictor.score(preparation.learned(x, new Features.Buffer()));
    return calibration().orElseThrow().probabilities(scores, predictor.classes());
  }

  @Override
  public int columns() {
    return predictor.columns();
  }

  @Override
  public double[] classes() {
    return preparation.labels().given(predictor.classes());
  }

  @Override
  public void score(Features x, double[] scores) {
    predictor.score(preparation.learned(x, new Features.Buffer()), scores);
    preparation.labels().giveScores(scores);
  }

  @Override
  public double predict(Features x) {
    Features learned = preparation.learned(x, new Features.Buffer());
    return preparation.labels().given(predictor.predict(learned));
  }

  /** Saves a model, atomically. */
  public static void save(Path file, Preparation preparation, AvmModel model) throws IOException {
    Encoder out = new Encoder();
    preparation.encode(out);
    Calibration.encode(null, out);
    Encoder content = new Encoder();
    model.encode(content);
    out.text(AvmModel.KIND);
    out.bytes(content.toBytes());
    ModelFile.write(file, Pipeline.KIND, out.toBytes());
  }

  /** The predictor saved in a file; besides models it may be a learner of one of these kinds. */
  public static PreparedModel load(
      Path file, Map<String, ModelFile.Content<? extends OnlineLearner>> learners)
      throws IOException {
    Map<String, ModelFile.Content<? extends Predictor>> kinds = new HashMap<>(learners);
    kinds.putAll(Pipeline.LEARNERS);
    kinds.put(AvmModel.KIND, AvmModel::decode);
    Map<String, ModelFile.Content<? extends PreparedModel>> files = new HashMap<>();
    kinds.forEach(
        (kind, reader) ->
            files.put(kind, in -> new PreparedModel(Preparation.none(), reader.read(in))));
    files.put(Pipeline.KIND, in -> decode(in, kinds));
    return ModelFile.load(file, files);
  }

  /** The predictor saved in a file. */
  public static PreparedModel load(Path file) throws IOException {
    return load(file, Map.of());
  }

  private static PreparedModel decode(
      Decoder in, Map<String, ModelFile.Content<? extends Predictor>> kinds)
      throws ModelFileException {
    Preparation preparation = Preparation.decode(in);
    Calibration calibration = Calibration.decodeIfAny(in);
    return new PreparedModel(preparation, Pipeline.decodeContent(in, kinds), calibration);
  }
}
