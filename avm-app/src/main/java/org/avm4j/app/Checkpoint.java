package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;

/**
 * All that a killed run needs to go on where it was.
 *
 * <p>In a file, kind {@code avm-checkpoint}: the command (text), instances read (8), bytes of the
 * score file (8), rows rejected (8), the pipeline, the evaluation.
 *
 * @param command what was being run; only the same may go on
 * @param read how many instances were read
 * @param scoreBytes how long the score file was
 * @param rejected how many rows the learner refused
 * @param scaler what rows were scaled by
 * @param run the evaluation with its learner, whose rows are scaled already
 */
record Checkpoint(
    String command, long read, long scoreBytes, long rejected, Scaler scaler, Prequential run) {
  private static final String KIND = "avm-checkpoint";

  void save(Path file) throws IOException {
    Encoder out = new Encoder();
    out.text(command);
    out.int64(read);
    out.int64(scoreBytes);
    out.int64(rejected);
    behind(scaler, (Pipeline) run.learner()).encode(out);
    run.encode(out);
    ModelFile.write(file, KIND, out.toBytes());
  }

  /** The checkpoint in a file, of the same command. */
  static Checkpoint load(Path file, String command) throws IOException {
    Checkpoint found = ModelFile.load(file, Map.of(KIND, Checkpoint::decode));
    if (!found.command.equals(command)) {
      throw new Failure(
          Failure.USAGE,
          file + ": belongs to another run: '" + found.command + "', not '" + command + "'");
    }
    return found;
  }

  private static Checkpoint decode(Decoder in) throws ModelFileException {
    String command = in.text();
    long read = in.count("the instances read");
    long scoreBytes = in.count("the bytes of scores");
    long rejected = in.count("the rejected rows");
    Pipeline pipeline = Pipeline.decode(in, Learners.DECODERS);
    Prequential run = Prequential.decode(in, behind(new Scaler(Scaling.NONE), pipeline));
    Scaler scaler = pipeline.preparation().scaler();
    return new Checkpoint(command, read, scoreBytes, rejected, scaler, run);
  }

  /** The same learner behind another scaler. */
  private static Pipeline behind(Scaler scaler, Pipeline pipeline) {
    Preparation preparation = pipeline.preparation();
    return new Pipeline(
        new Preparation(preparation.schema(), scaler, preparation.labels()),
        pipeline.learner(),
        pipeline.calibration().orElse(null));
  }
}
