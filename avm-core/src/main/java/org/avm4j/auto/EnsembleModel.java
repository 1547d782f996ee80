package org.avm4j.auto;

import java.util.List;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.auto.aggregate.Blend;
import org.avm4j.auto.aggregate.HuberLoss;
import org.avm4j.auto.expert.Experts;
import org.avm4j.auto.expert.Frozen;
import org.avm4j.auto.expert.Moment;
import org.avm4j.auto.expert.Opinion;
import org.avm4j.auto.expert.PastLabels;
import org.avm4j.auto.expert.SharedInputs;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;

/**
 * A frozen mixture of experts, with the labels that were the latest when it was frozen. It answers
 * the next row of the stream; for any other row use {@link #detached}.
 *
 * <p>In a file, kind {@code avm-ensemble-model}: the task (4), the inputs, the number of experts
 * (4), each of them, «blend» and the latest labels. The first expert is the leading learner. Files
 * of earlier builds have the weights of a mean (8 each) instead of the blend.
 */
public final class EnsembleModel implements Model {
  /** The kind of a file that holds such a model. */
  public static final String KIND = "avm-ensemble-model";

  /** The most experts that a file may hold. */
  static final int MOST_EXPERTS = 100;

  private static final String BLEND = "blend";

  private final Frozen lead;
  private final List<Opinion> opinions;
  private final Blend blend;
  private final PastLabels labels;

  /** A mixture whose first opinion is that of the leading learner. */
  EnsembleModel(List<Opinion> opinions, Blend blend, PastLabels labels) {
    this.opinions = List.copyOf(opinions);
    this.blend = blend;
    this.labels = labels;
    lead = (Frozen) opinions.get(0);
  }

  @Override
  public Task task() {
    return lead.model().task();
  }

  @Override
  public int columns() {
    return lead.model().columns();
  }

  @Override
  public double[] classes() {
    return lead.model().classes();
  }

  @Override
  public void score(Features x, double[] scores) {
    HuberLoss huber = new HuberLoss(task().kind());
    Moment now = new Moment().of(x, labels);
    double[] classes = task().kind() == Task.Kind.MULTICLASS ? classes() : new double[0];
    double[][] all = new double[opinions.size()][columns()];
    for (int k = 0; k < all.length && columns() > 0; k++) {
      opinions.get(k).score(now, classes, all[k]);
      huber.limit(all[k]);
    }
    double[] mixed = new double[columns()];
    blend.combine(all, huber, mixed);
    System.arraycopy(mixed, 0, scores, 0, mixed.length);
  }

  @Override
  public double predict(Features x) {
    return task().predict(score(x), classes());
  }

  @Override
  public Prediction answer(Features x) {
    double[] scores = score(x);
    return new Prediction(task().predict(scores, classes()), classes(), scores);
  }

  /** {@inheritDoc} The weights hold for consecutive rows; others are answered by the lead alone. */
  @Override
  public PreparedModel detached() {
    Preparation preparation = Preparation.none().withScaler(lead.inputs().scaler());
    return new PreparedModel(preparation, lead.model().detached());
  }

  @Override
  public List<Neighbour> nearest(Features x, int most) {
    return lead.model().nearest(lead.inputs().scaler().apply(x), most);
  }

  @Override
  public int regionOf(Features x) {
    return lead.model().regionOf(lead.inputs().scaler().apply(x));
  }

  @Override
  public Status status() {
    return lead.model().status();
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    SharedInputs shared = new SharedInputs();
    opinions.forEach(opinion -> Experts.take(opinion, shared));
    out.int32(task().kind().ordinal());
    out.section("inputs", shared::encode);
    out.list(opinions, (each, to) -> to.section("expert", s -> Experts.encode(each, s, shared)));
    out.section(BLEND, blend::encode);
    labels.encode(out);
  }

  /** The model that {@link #encode} appended. */
  public static EnsembleModel decode(Decoder in) throws ModelFileException {
    Task.Kind task = Task.Kind.values()[in.int32("the task", Task.Kind.values().length - 1)];
    SharedInputs shared = in.section("inputs", SharedInputs::decode);
    ModelFile.Content<Opinion> expert = section -> Experts.decode(section, shared, task);
    List<Opinion> opinions =
        in.list("the experts", MOST_EXPERTS, each -> each.section("expert", expert));
    int count = opinions.size();
    boolean hasLead =
        count > 0 && opinions.get(0) instanceof Frozen lead && lead.model().task().kind() == task;
    Decoder.check(hasLead, "the first expert must be a model of the task", count);
    Blend blend =
        in.hasSection(BLEND)
            ? in.section(BLEND, section -> Blend.decode(section, count))
            : Blend.ofMean(in.doubles(count, count));
    return new EnsembleModel(opinions, blend, PastLabels.decode(in));
  }
}
