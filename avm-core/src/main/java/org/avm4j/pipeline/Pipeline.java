package org.avm4j.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.avm4j.Avm;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;

/**
 * A learner together with all that turns the rows of a file into what it learns from: the names of
 * the columns and categories, the scaling, the labels of a binary task. It learns from rows and
 * labels as they stand in the data and answers in these labels. This is what the command {@code
 * avm} saves.
 *
 * <p>In a file, kind {@code avm-pipeline}: schema; scaler; a flag "has a label pair" and the pair
 * (2 × 8); kind of the learner (text); its content (bytes with their length).
 */
public final class Pipeline implements OnlineLearner {
  /** What a file of a pipeline is called inside. */
  public static final String KIND = "avm-pipeline";

  private final Schema schema;
  private final Scaler scaler;
  private final LabelPair pair;
  private final OnlineLearner learner;

  /** A pipeline; the label pair is null where the task is not binary. */
  public Pipeline(Schema schema, Scaler scaler, LabelPair pair, OnlineLearner learner) {
    this.schema = schema;
    this.scaler = scaler;
    this.pair = pair;
    this.learner = learner;
  }

  /** What the columns mean. */
  public Schema schema() {
    return schema;
  }

  /** The scaling. */
  public Scaler scaler() {
    return scaler;
  }

  /** The learner inside. */
  public OnlineLearner learner() {
    return learner;
  }

  /** The two labels of a binary task, or null. */
  public LabelPair pair() {
    return pair;
  }

  @Override
  public void learn(Features x, double y) {
    double label = pair == null ? y : pair.learned(y);
    learner.learn(scaler.apply(x), label);
  }

  @Override
  public int columns() {
    return learner.columns();
  }

  @Override
  public double[] classes() {
    return pair == null ? learner.classes() : new double[] {pair.lower(), pair.higher()};
  }

  @Override
  public void score(Features x, double[] scores) {
    learner.score(scaler.apply(x), scores);
  }

  @Override
  public double predict(Features x) {
    double answer = learner.predict(scaler.apply(x));
    return pair == null ? answer : pair.given(answer);
  }

  /** The learner's snapshot: it takes scaled rows and gives the learner's own labels. */
  @Override
  public Predictor snapshot() {
    return learner.snapshot();
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
    schema.encode(out);
    scaler.encode(out);
    out.bool(pair != null);
    if (pair != null) {
      out.float64(pair.lower());
      out.float64(pair.higher());
    }
    Encoder content = new Encoder();
    learner.encode(content);
    out.text(learner.kind());
    out.bytes(content.toBytes());
  }

  /** The pipeline that was appended, with a learner of one of the given kinds. */
  public static Pipeline decode(
      Decoder in, Map<String, ModelFile.Content<? extends OnlineLearner>> learners)
      throws ModelFileException {
    Schema schema = Schema.decode(in);
    Scaler scaler = Scaler.decode(in);
    LabelPair pair = in.bool() ? decodePair(in) : null;
    String kind = in.text();
    Decoder.check(learners.containsKey(kind), "the learner must be known", kind);
    Decoder content = new Decoder(in.bytes());
    OnlineLearner learner = learners.get(kind).read(content);
    content.end();
    return new Pipeline(schema, scaler, pair, learner);
  }

  /**
   * The pipeline saved in a file; a file that holds a bare learner gives one that changes nothing.
   */
  public static Pipeline load(
      Path file, Map<String, ModelFile.Content<? extends OnlineLearner>> learners)
      throws IOException {
    return ModelFile.load(
        file, Map.of(KIND, in -> decode(in, learners), Avm.KIND, in -> bare(Avm.decode(in))));
  }

  /** The pipeline saved in a file, with the learner of this library. */
  public static Pipeline load(Path file) throws IOException {
    return load(file, Map.of(Avm.KIND, Avm::decode));
  }

  private static Pipeline bare(OnlineLearner learner) {
    return new Pipeline(new Schema(), new Scaler(Scaling.NONE), null, learner);
  }

  private static LabelPair decodePair(Decoder in) throws ModelFileException {
    try {
      return new LabelPair(in.finite("a label"), in.finite("a label"));
    } catch (IllegalArgumentException refused) {
      throw new ModelFileException("damaged content: " + refused.getMessage());
    }
  }
}
