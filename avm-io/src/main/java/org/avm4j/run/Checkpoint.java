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

/**
 * Everything that a killed run needs to resume.
 *
 * <p>In a file, kind {@code avm-checkpoint}: section {@code progress} with the command (text),
 * instances read (8), bytes of the score file (8) and rows rejected (8); section {@code pipeline};
 * section {@code evaluation}; section {@code answers}, with the bytes of the answer file (8), where
 * there is one; section {@code held-out}, where the importance of columns is measured; then what is
 * watched along the stream.
 *
 * @param progress how far the run had come
 * @param pipeline the learner
 * @param evaluation the figures so far, of that learner
 * @param heldOut rows for the importance of columns; null for none
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
   * @param read how many instances were read
   * @param scoreBytes how long the score file was
   * @param rejected how many rows the learner refused
   * @param answerBytes how long the answer file was
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
    if (heldOut != null) {
      out.section(HELD_OUT, heldOut::encode);
    }
    watch.encode(out);
  }

  /**
   * The checkpoint in a file.
   *
   * @param command what is run; a checkpoint of anything else is refused
   * @param schema the names in the data as they were read again
   */
  static Checkpoint load(Path file, String command, Schema schema) throws IOException {
    Checkpoint found = ModelFile.open(file).read(Map.of(KIND, in -> decode(in, schema)));
    if (!results(found.progress.command).equals(results(command))) {
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

  /** The part of a command that changes results, which the steps between checkpoints do not. */
  private static String results(String command) {
    return command.replaceAll("(^| )--checkpoint-every[= ]\\S+", "");
  }

  private static Checkpoint decode(Decoder in, Schema schema) throws ModelFileException {
    Progress progress = in.section("progress", Progress::decode);
    Pipeline saved = in.section("pipeline", Pipeline::decode);
    Pipeline pipeline = saved.behind(saved.preparation().withSchema(schema));
    Prequential evaluation =
        in.section("evaluation", section -> Prequential.decode(section, pipeline));
    long answerBytes =
        in.hasSection("answers")
            ? in.section("answers", section -> section.count("the bytes of answers"))
            : 0;
    HeldOut heldOut = in.hasSection(HELD_OUT) ? in.section(HELD_OUT, HeldOut::decode) : null;
    StreamWatch watch = StreamWatch.decode(in, pipeline.preparation().schema());
    return new Checkpoint(
        progress.withAnswerBytes(answerBytes), pipeline, evaluation, heldOut, watch);
  }
}
