package org.avm4j.serve;

import org.avm4j.OnlineLearner;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;

/** Reads the learner in a model file that a client sends. */
final class PipelineFile {
  private PipelineFile() {}

  /** The learner of a file; throws a {@link Problem} if it holds none. */
  static Pipeline read(byte[] file) {
    try {
      ModelFile found = ModelFile.parse(file);
      if (!FileKinds.installed().kind(found.kind()).isLearner()) {
        throw Problem.refused(
            "the file holds a model that cannot continue learning; avm train --average 1 saves"
                + " one that can");
      }
      return found.kind().equals(Pipeline.KIND)
          ? found.read(kind -> Pipeline::decode)
          : new Pipeline(
              Preparation.none(), FileKinds.installed().learner(OnlineLearner.class, found));
    } catch (ModelFileException damage) {
      throw Problem.refused(damage.getMessage());
    }
  }
}
