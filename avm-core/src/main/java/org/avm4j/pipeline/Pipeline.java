package org.avm4j.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.avm4j.AnomalyDetector;
import org.avm4j.Avm;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;

/**
 * A learner behind a {@link Preparation}: it learns from rows and labels as they stand in the data
 * and answers in these labels. This is what the command {@code avm} saves.
 *
 * <p>In a file, kind {@code avm-pipeline}: the preparation; whether there is a calibration (1), and
 * it; the kind of the learner (text); its content (bytes with their length).
 */
public final class Pipeline implements OnlineLearner {
  /** What a file of a pipeline is called inside. */
  public static final String KIND = "avm-pipeline";

  static final Map<String, ModelFile.Content<? extends OnlineLearner>> LEARNERS =
      Map.of(
          Avm.KIND, Avm::decode,
          AutoAvm.KIND, AutoAvm::decode,
          AnomalyDetector.KIND, AnomalyDetector::decode);

  private final Preparation preparation;
  private final OnlineLearner learner;
  private final Calibration calibration;

  /** The learner behind the preparation. */
  public Pipeline(Preparation preparation, OnlineLearner learner) {
    this(preparation, learner, null);
  }

  /** The learner behind the preparation, and probabilities of its classes unless null is given. */
  public Pipeline(Preparation preparation, OnlineLearner learner, Calibration calibration) {
    this.preparation = preparation;
    this.learner = learner;
    this.calibration = calibration;
  }

  /** What comes before the learner. */
  public Preparation preparation() {
    return preparation;
  }

  /** The learner inside. */
  public OnlineLearner learner() {
    return learner;
  }

  /** What makes probabilities of scores, if probabilities were asked for. */
  public Optional<Calibration> calibration() {
    return Optional.ofNullable(calibration);
  }

  @Override
  public void learn(Features x, double y) {
    double label = preparation.labels().learned(y);
    Features learned = preparation.learned(x);
    if (calibration == null) {
      learner.learn(learned, label);
      return;
    }
    double[] classes = learner.classes();
    double[] scores = learner.score(learned);
    learner.learn(learned, label);
    calibration.learn(scores, classes, label);
  }

  /** The probability of each class in ascending order of label; a calibration is needed. */
  public double[] probabilities(Features x) {
    double[] scores = learner.score(preparation.learned(x));
    return calibration().orElseThrow().probabilities(scores, learner.classes());
  }

  @Override
  public int columns() {
    return learner.columns();
  }

  @Override
  public double[] classes() {
    return preparation.labels().given(learner.classes());
  }

  @Override
  public void score(Features x, double[] scores) {
    learner.score(preparation.learned(x), scores);
    preparation.labels().giveScores(scores);
  }

  @Override
  public double predict(Features x) {
    return preparation.labels().given(learner.predict(preparation.learned(x)));
  }

  @Override
  public Predictor snapshot() {
    Calibration frozen = calibration == null ? null : calibration.copy();
    return new PreparedModel(preparation, learner.snapshot(), frozen);
  }

  @Override
  public int size() {
    return learner.size();
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    preparation.encode(out);
    Calibration.encode(calibration, out);
    Encoder content = new Encoder();
    learner.encode(content);
    out.text(learner.kind());
    out.bytes(content.toBytes());
  }

  /** The pipeline that was appended, with a learner of one of the given kinds. */
  public static Pipeline decode(
      Decoder in, Map<String, ModelFile.Content<? extends OnlineLearner>> learners)
      throws ModelFileException {
    Preparation preparation = Preparation.decode(in);
    Calibration calibration = Calibration.decodeIfAny(in);
    return new Pipeline(preparation, decodeContent(in, learners), calibration);
  }

  /** The pipeline saved in a file, with a learner of this library. */
  public static Pipeline load(Path file) throws IOException {
    Map<String, ModelFile.Content<? extends Pipeline>> files = new HashMap<>();
    LEARNERS.forEach(
        (kind, reader) -> files.put(kind, in -> new Pipeline(Preparation.none(), reader.read(in))));
    files.put(KIND, in -> decode(in, LEARNERS));
    return ModelFile.load(file, files);
  }

  static <T> T decodeContent(Decoder in, Map<String, ModelFile.Content<? extends T>> kinds)
      throws ModelFileException {
    String kind = in.text();
    Decoder.check(kinds.containsKey(kind), "what is inside must be known", kind);
    Decoder content = new Decoder(in.bytes());
    T inside = kinds.get(kind).read(content);
    content.end();
    return inside;
  }
}
