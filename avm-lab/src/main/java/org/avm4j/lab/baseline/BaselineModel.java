package org.avm4j.lab.baseline;

import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFileException;

/**
 * The frozen model of a baseline, with its options and the number of learned instances.
 *
 * <p>In a file, kind {@code baseline-model}: «options», instances (8), the model inside.
 */
final class BaselineModel implements Model {
  static final String KIND = "baseline-model";

  private final BaselineOptions options;
  private final long instances;
  private final Model inside;

  BaselineModel(BaselineOptions options, long instances, Model inside) {
    this.options = options;
    this.instances = instances;
    this.inside = inside;
  }

  @Override
  public Task task() {
    return options.task();
  }

  @Override
  public int columns() {
    return inside.columns();
  }

  @Override
  public double[] classes() {
    return inside.classes();
  }

  @Override
  public void score(Features x, double[] scores) {
    inside.score(x, scores);
  }

  @Override
  public Status status() {
    return Status.of(instances, inside.status().size(), options.settings());
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("options", section -> BaselineCodec.encode(section, options));
    out.int64(instances);
    out.nested(inside);
  }

  static BaselineModel decode(Decoder in) throws ModelFileException {
    BaselineOptions options = in.section("options", BaselineCodec::decodeOptions);
    long instances = in.count("the instances");
    return new BaselineModel(options, instances, FileKinds.installed().model(Model.class, in));
  }

  /** The name and the size of the model, in one line. */
  @Override
  public String toString() {
    return status().summary();
  }
}
