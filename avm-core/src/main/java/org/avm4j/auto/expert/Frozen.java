package org.avm4j.auto.expert;

import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFileException;

/**
 * An expert that is a frozen model and does not learn.
 *
 * @param name the name shown to people
 * @param model gives the scores
 * @param inputs how a row becomes the input of the model
 */
public record Frozen(String name, Model model, Inputs inputs) implements Expert {
  @Override
  public void score(Moment now, double[] classes, double[] into) {
    score(model, now.through(inputs), classes, into);
  }

  /**
   * Writes the scores of a predictor for these classes, and -1 for classes that it does not know.
   */
  public static void score(Predictor predictor, Features row, double[] classes, double[] into) {
    if (predictor.columns() == into.length) {
      predictor.score(row, into);
      return;
    }
    InputExpert.arrange(predictor.score(row), predictor.classes(), classes, into);
  }

  @Override
  public void learn(Moment now, double y, double weight) {}

  @Override
  public boolean isCostly() {
    return true;
  }

  @Override
  public boolean seesLabels() {
    return inputs.seeLabels();
  }

  @Override
  public int size() {
    return model.status().size();
  }

  @Override
  public Frozen freeze() {
    return this;
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    out.text(name);
    shared.encode(inputs, out);
    out.nested(model);
  }

  static Frozen decode(Decoder in, SharedInputs shared, Task.Kind task) throws ModelFileException {
    String name = in.text();
    Inputs inputs = shared.read(in);
    Model model = FileKinds.installed().model(Model.class, in);
    Decoder.check(model.task().kind() == task, "a model must have the task", model.task());
    return new Frozen(name, model, inputs);
  }
}
