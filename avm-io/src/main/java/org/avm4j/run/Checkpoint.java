package org.avm4j.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.codec.Savable;
import org.avm4j.data.Schema;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.LearnerSpec;

/**
 * Everything that a killed run needs to resume.
 *
 * <p>In a file, kind {@code avm-checkpoint}: section {@code progress} with the command (text),
 * instances read (8), bytes of the score file (8) and rows rejected (8); section {@code pipeline};
 * section {@code evaluation}; section {@code answers}, with the bytes of the answer file (8), if
 * there is one; section {@code held-out}, if the importance of columns is measured; then the
 * sections of {@link StreamWatch}.
 *
 * @param progress how far the run had come
 * @param pipeline the learner
 * @param evaluation the figures of the learner so far
 * @param heldOut the rows that are held out
 * @param watch what is watched along the stream
 */
record Checkpoint(
    Progress progress,
    Pipeline pipeline,
    Prequential evaluation,
    HeldOut heldOut,
    StreamWatch watch)
    implements Savable {
  private static final String KIND = "avm-checkpoint";
  private static final String HELD_OUT = "held-out";

  /**
   * How far a run has come.
   *
   * @param command the command; only the same command may resume
   * @param read the number of instances read
   * @param scoreBytes the length of the score file
   * @param rejected the number of rows that the learner refused
   * @param answerBytes the length of the answer file
   */
  record Progress(String command, long read, long scoreBytes, long rejected, long answerBytes) {
    void encode(Encoder out) {
      out.text(command);
      out.int64(read);
      out.int64(scoreBytes);
      out.int64(rejected);
    }

    static Progress decode(Decoder in) throws ModelFileException {
      return new Progress(
          in.text(),
          in.count("the instances read"),
          in.count("the bytes of scores"),
          in.count("the rejected rows"),
          0);
    }

    private Progress withAnswerBytes(long bytes) {
      return new Progress(command, read, scoreBytes, rejected, bytes);
    }
  }

  /** The beginning of a run. */
  static Checkpoint fresh(PreparedData data, LearnerSpec spec, RunOptions options) {
    Pipeline pipeline = data.rules(spec).pipeline();
    data.lags().ifPresent(pipeline::follow);
    return new Checkpoint(
        new Progress(options.checkpoints().command(), 0, 0, 0, 0),
        pipeline,
        options.evaluation(pipeline, data, spec.seed()),
        new HeldOut(),
        new StreamWatch());
  }

  /** The same state of the run when it has come so far. */
  Checkpoint at(Progress now) {
    return new Checkpoint(now, pipeline, evaluation, heldOut, watch);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("progress", progress::encode);
    out.section("pipeline", pipeline::encode);
    out.section("evaluation", evaluation::encode);
    if (progress.answerBytes > 0) {
      out.section("answers", content -> content.int64(progress.answerBytes));
    }
    if (heldOut.isWanted()) {
      out.section(HELD_OUT, heldOut::encode);
    }
    watch.encode(out);
  }

  /**
   * Loads a checkpoint.
   *
   * @param command the command of this run; a checkpoint of another command is refused
   * @param schema the schema of the data, which was surveyed again
   */
  static Checkpoint load(Path file, String command, Schema schema) throws IOException {
    Checkpoint found = ModelFile.open(file).read(Map.of(KIND, in -> decode(in, schema)));
    if (!essential(found.progress.command).equals(essential(command))) {
      throw new IllegalArgumentException(
          file
              + ": belongs to another run: '"
              + found.progress.command
              + "', not '"
              + command
              + "'");
    }
    return found;
  }

  /** The command without the option for the interval of checkpoints, which changes no results. */
  private static String essential(String command) {
    return command.replaceAll("(^| )--checkpoint-every[= ]\\S+", "");
  }

  private static Checkpoint decode(Decoder in, Schema schema) throws ModelFileException {
    Progress progress = in.section("progress", Progress::decode);
    Pipeline saved = in.section("pipeline", Pipeline::decode);
    Pipeline pipeline = saved.behind(saved.preparation().withSchema(schema));
    Prequential evaluation =
        in.section("evaluation", section -> Prequential.decode(section, pipeline));
    long answerBytes =
        in.optional("answers", section -> section.count("the bytes of answers")).orElse(0L);
    HeldOut heldOut = in.optional(HELD_OUT, HeldOut::decode).orElseGet(HeldOut::new);
    StreamWatch watch = StreamWatch.decode(in, pipeline.preparation().schema());
    return new Checkpoint(
        progress.withAnswerBytes(answerBytes), pipeline, evaluation, heldOut, watch);
  }
}
