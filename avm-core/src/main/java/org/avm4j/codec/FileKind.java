package org.avm4j.codec;

import java.util.function.Function;
import org.avm4j.codec.ModelFile.Content;

/**
 * A kind of file: its name, and how the learner or the model inside is read. A plug-in makes its
 * kinds known through a {@link FileKindProvider}.
 *
 * @param name the name of the kind in files
 * @param isLearner whether it holds a learner, which can continue to learn
 * @param learner reads a live learner; refuses where the kind holds a model only
 * @param model reads a frozen model
 */
public record FileKind(
    String name,
    boolean isLearner,
    Content<? extends Savable> learner,
    Content<? extends Savable> model) {
  /** A kind of learner, from which its model is made. */
  public static <T extends Savable> FileKind ofLearner(
      String name, Content<? extends T> reader, Function<T, ? extends Savable> snapshot) {
    return new FileKind(name, true, reader, in -> snapshot.apply(reader.read(in)));
  }

  /** A kind of model, which cannot continue to learn. */
  public static FileKind ofModel(String name, Content<? extends Savable> reader) {
    return new FileKind(name, false, in -> refuse(name), reader);
  }

  private static Savable refuse(String name) throws ModelFileException {
    throw new ModelFileException(
        "the file holds '" + name + "', a model that cannot go on learning");
  }
}
