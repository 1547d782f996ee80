package org.avm4j.models;

import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.form.StatusBuilder;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Rules;
import org.avm4j.points.CoreSet;
import org.avm4j.points.FrozenMachine;

/**
 * A one-class machine from another program, such as LIBSVM. Its score is f(x) = Σ_j b_j K(c_j, x) +
 * β₀; a row is an anomaly where it is at least 0.
 *
 * <p>In a file, kind {@code avm-one-class-model}: «machine» (frozen machine).
 */
public final class OneClassModel implements Model, OpenModel {
  /** The kind of a file that holds such a model. */
  public static final String KIND = "avm-one-class-model";

  private static final Columns COLUMNS = Task.anomaly().columns();

  private final FrozenMachine machine;

  private OneClassModel(FrozenMachine machine) {
    this.machine = machine;
  }

  /** The machine with these vectors, b_j and β₀. */
  public static OneClassModel of(
      Kernel kernel, List<Features> vectors, double[] coefficients, double bias) {
    Rules.check(
        vectors.size() == coefficients.length,
        "there must be a coefficient for each vector",
        coefficients.length);
    CoreSet core = CoreSet.of(vectors);
    double[][] column = {coefficients.clone()};
    return new OneClassModel(new FrozenMachine(core, kernel, column, new double[][] {{bias}}));
  }

  @Override
  public Task task() {
    return Task.anomaly();
  }

  @Override
  public int columns() {
    return 1;
  }

  @Override
  public double[] classes() {
    return COLUMNS.labels();
  }

  @Override
  public void score(Features x, double[] scores) {
    machine.score(x, scores);
  }

  @Override
  public ModelForm form() {
    return new ModelForm.Machine(machine.expansion(COLUMNS));
  }

  @Override
  public List<Neighbour> nearest(Features x, int most) {
    return machine.nearest(x, most, COLUMNS);
  }

  @Override
  public Status status() {
    Kernel kernel = machine.expansion(COLUMNS).kernel();
    return new StatusBuilder(
            0, machine.size(), Map.of("kernel", kernel.word(), "gamma", kernel.gamma()))
        .threshold(0)
        .build();
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("machine", machine::encode);
  }

  /** The model that was appended. */
  public static OneClassModel decode(Decoder in) throws ModelFileException {
    return new OneClassModel(in.section("machine", s -> FrozenMachine.decode(s, 1)));
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return status().summary();
  }
}
