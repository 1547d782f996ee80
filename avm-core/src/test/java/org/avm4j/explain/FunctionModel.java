package org.avm4j.explain;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Encoder;

/** A model that is any function of a row: regression, or two classes by its sign. */
record FunctionModel(Task task, ToDoubleFunction<Features> function, ToIntFunction<Features> region)
    implements Model {
  static FunctionModel regression(ToDoubleFunction<Features> function) {
    return new FunctionModel(Task.regression(), function, x -> 0);
  }

  static FunctionModel binary(ToDoubleFunction<Features> function) {
    return new FunctionModel(Task.binary(), function, x -> 0);
  }

  FunctionModel withRegions(ToIntFunction<Features> regions) {
    return new FunctionModel(task, function, regions);
  }

  @Override
  public int regionOf(Features x) {
    return region.applyAsInt(x);
  }

  @Override
  public int columns() {
    return 1;
  }

  @Override
  public double[] classes() {
    return task.isRegression() ? new double[0] : new double[] {-1, 1};
  }

  @Override
  public void score(Features x, double[] scores) {
    scores[0] = function.applyAsDouble(x);
  }

  @Override
  public double predict(Features x) {
    double score = function.applyAsDouble(x);
    return task.isRegression() ? score : score < 0 ? -1 : 1;
  }

  @Override
  public Status status() {
    return Status.of(0, 0, Map.of());
  }

  @Override
  public String kind() {
    return "function";
  }

  @Override
  public void encode(Encoder out) {}
}
