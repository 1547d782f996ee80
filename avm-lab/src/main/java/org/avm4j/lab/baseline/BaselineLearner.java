package org.avm4j.lab.baseline;

import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;

/** An {@link OnlineLearner} for a baseline, which can be reset, copied and saved. */
final class BaselineLearner implements OnlineLearner {
  private final BaselineOptions options;
  private Baseline method;
  private long instances;

  BaselineLearner(BaselineOptions options) {
    this.options = options;
    reset();
  }

  @Override
  public void reset() {
    method = Baselines.make(options);
    instances = 0;
  }

  BaselineOptions options() {
    return options;
  }

  @Override
  public Task task() {
    return options.task();
  }

  @Override
  public void learn(Features x, double y, double weight) {
    options.task().check(y);
    OnlineLearner.checkWeight(weight);
    method.learn(x, y, weight);
    instances++;
  }

  @Override
  public int columns() {
    return method.columns();
  }

  @Override
  public double[] classes() {
    return method.classes();
  }

  @Override
  public void score(Features x, double[] scores) {
    method.score(x, scores);
  }

  @Override
  public int size() {
    return method.size();
  }

  @Override
  public Status status() {
    return Status.of(instances, size(), options.settings());
  }

  @Override
  public Model snapshot() {
    return new BaselineModel(options, instances, method.snapshot());
  }

  @Override
  public BaselineLearner copy() {
    return ModelFile.copy(this, in -> decode(in, options.method()));
  }

  @Override
  public String kind() {
    return options.method().kind();
  }

  @Override
  public void encode(Encoder out) {
    out.section("options", section -> BaselineCodec.encode(section, options));
    out.int64(instances);
    out.section("state", method::encode);
  }

  /** Reads the learner that {@link #encode} wrote; throws if it is of another method. */
  static BaselineLearner decode(Decoder in, Method method) throws ModelFileException {
    BaselineOptions options = in.section("options", BaselineCodec::decodeOptions);
    Decoder.check(options.method() == method, "expected " + method.id(), options.method().id());
    BaselineLearner learner = new BaselineLearner(options);
    learner.instances = in.version() == 1 ? 0 : in.count("the instances");
    in.section("state", learner::decodeState);
    return learner;
  }

  private Baseline decodeState(Decoder in) throws ModelFileException {
    method.decode(in);
    return method;
  }

  /** The name and the size of the learner, in one line. */
  @Override
  public String toString() {
    return status().summary();
  }
}
