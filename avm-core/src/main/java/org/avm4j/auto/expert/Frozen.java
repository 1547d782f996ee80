package org.avm4j.auto.expert;

import org.avm4j.Kinds;
import org.avm4j.Model;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A model that learns no more.
 *
 * @param name what it is
 * @param model gives the scores, one for each class of the task
 * @param inputs what the model sees of a row
 */
public record Frozen(String name, Model model, Inputs inputs) implements Opinion {
  @Override
  public void score(Moment now, double[] classes, double[] into) {
    model.score(now.through(inputs), into);
  }

  @Override
  public boolean seesLabels() {
    return inputs.seeLabels();
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    out.text(name);
    shared.encode(inputs, out);
    out.nested(model);
  }

  static Frozen decode(Decoder in, SharedInputs shared) throws ModelFileException {
    String name = in.text();
    Inputs inputs = shared.read(in);
    return new Frozen(name, Kinds.installed().model(in), inputs);
  }
}
