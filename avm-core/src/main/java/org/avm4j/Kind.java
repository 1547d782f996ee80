package org.avm4j;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.ModelFile.Content;
import org.avm4j.codec.ModelFileException;

/**
 * A kind of file: its name, and how the learner or the model inside is read. A plug-in makes its
 * kinds known through a {@link KindProvider}.
 *
 * @param name the name by which a file says what it holds
 * @param isLearner whether it holds a learner, which can go on learning
 * @param learner reads a live learner; refuses where the kind holds a model only
 * @param model reads a frozen model
 */
public record Kind(
    String name,
    boolean isLearner,
    Content<? extends OnlineLearner> learner,
    Content<? extends Model> model) {
  /** A kind of learner; its model is its snapshot. */
  public static Kind ofLearner(String name, Content<? extends OnlineLearner> reader) {
    return ofLearner(name, reader, in -> reader.read(in).snapshot());
  }

  /** A kind of learner whose model can be read without it. */
  public static Kind ofLearner(
      String name, Content<? extends OnlineLearner> reader, Content<? extends Model> model) {
    return new Kind(name, true, reader, model);
  }

  /** A kind of model, which cannot go on learning. */
  public static Kind ofModel(String name, Content<? extends Model> reader) {
    return new Kind(name, false, in -> refuse(name, in), reader);
  }

  private static OnlineLearner refuse(String name, Decoder in) throws ModelFileException {
    throw new ModelFileException(
        "the file holds '" + name + "', a model that cannot go on learning");
  }
}
