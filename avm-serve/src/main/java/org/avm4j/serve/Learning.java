package org.avm4j.serve;

import java.util.Map;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.codec.Savable;
import org.avm4j.data.Column;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;

/**
 * All that follows from the rows of a model: the learner, its figures, and how far it has come. The
 * same rows in the same order give the same bits. It belongs to one thread at a time.
 *
 * <p>In the store, kind {@code avm-served}: section {@code progress} with the sequence number of
 * the last row (8), the rows that the learner refused (8) and why it refused the last (text);
 * section {@code pipeline}; section {@code board}.
 */
final class Learning implements Savable {
  private static final String KIND = "avm-served";
  private static final int MAX_FEATURES = 1 << 16;
  private static final int MAX_CLASSES = 1000;

  private final Pipeline pipeline;
  private final RowEncoder rows;
  private final Scoreboard board;
  private long sequence;
  private long refused;
  private String lastRefusal;
  private boolean isIndexed;

  private Learning(
      Pipeline pipeline, Scoreboard board, long sequence, long refused, String lastRefusal) {
    this.pipeline = pipeline;
    this.board = board;
    this.sequence = sequence;
    this.refused = refused;
    this.lastRefusal = lastRefusal;
    isIndexed =
        pipeline.preparation().schema().columns().isEmpty() && pipeline.status().instances() > 0;
    rows = new RowEncoder(pipeline.preparation().schema(), Missing.MEAN);
  }

  /** Begins with a learner as it is. */
  static Learning of(Pipeline pipeline) {
    return new Learning(pipeline, new Scoreboard(), 0, 0, "");
  }

  Pipeline pipeline() {
    return pipeline;
  }

  /** Whether rows came by index. */
  boolean isIndexed() {
    return isIndexed;
  }

  Scoreboard board() {
    return board;
  }

  /** The sequence number of the last row that was taken. */
  long sequence() {
    return sequence;
  }

  /** How many rows the learner refused. */
  long refused() {
    return refused;
  }

  /** Why it refused the last of them; empty if none. */
  String lastRefusal() {
    return lastRefusal;
  }

  /**
   * Takes the next row: learned, or counted as refused. Whatever the learner throws is a refusal,
   * so that a row that is on disk cannot keep a service from its start. Rows are checked before
   * they are acknowledged, so that a refusal here is rare.
   *
   * @return the answer from before it was learned, null if none was asked for
   */
  Prediction take(Row row) {
    sequence++;
    try {
      return learn(row);
    } catch (RuntimeException refusal) {
      refused++;
      lastRefusal = "row " + sequence + ": " + refusal.getMessage();
      return null;
    }
  }

  private Prediction learn(Row row) {
    check(row);
    double y = rows.label(row.label());
    OnlineLearner.checkWeight(row.weight());
    Features x = row.values().encode(rows);
    Prediction answer = row.how() == Row.How.OBSERVE ? pipeline.answer(x) : null;
    pipeline.learn(x, y, row.weight());
    isIndexed |= !row.values().isNamed();
    if (answer != null) {
      board.add(pipeline, y, answer.label(), answer.scores());
    } else if (row.given() != null) {
      board.add(pipeline, y, row.given().label(), row.given().scores());
    }
    return answer;
  }

  private void check(Row row) {
    boolean isNamed = row.values().isNamed();
    if (isNamed ? isIndexed : !pipeline.preparation().schema().columns().isEmpty()) {
      throw new IllegalArgumentException(
          isNamed
              ? "the model learned from rows by index, found one by column name"
              : "the model knows its columns by name, found a row by index");
    }
    checkFeatures(pipeline.preparation().schema(), row.values());
    if (pipeline.columns() > MAX_CLASSES) {
      throw new IllegalArgumentException(
          "a model of this service has at most " + MAX_CLASSES + " classes");
    }
  }

  /** Refuses a row that has too many features, or adds them: memory is bounded whatever is sent. */
  static void checkFeatures(Schema schema, Row.Values values) {
    if (features(schema, values) > MAX_FEATURES) {
      throw new IllegalArgumentException(
          "a model of this service has at most " + MAX_FEATURES + " features");
    }
  }

  /** An upper bound of the number of features after a row. */
  private static long features(Schema schema, Row.Values values) {
    if (values instanceof Row.Indexed indexed) {
      return indexed.features().dimension();
    }
    Map<String, ?> named =
        values instanceof Row.Named json ? json.values() : ((Row.Texts) values).values();
    int known = schema.dimension();
    return known + named.size() <= MAX_FEATURES ? known : known + unknown(schema, named);
  }

  private static long unknown(Schema schema, Map<String, ?> row) {
    return row.entrySet().stream()
        .filter(entry -> !isKnown(schema.column(entry.getKey()), entry.getValue()))
        .count();
  }

  private static boolean isKnown(Column column, Object value) {
    return column != null
        && (column.isNumeric() || column.categories().contains(String.valueOf(value)));
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section(
        "progress",
        section -> {
          section.int64(sequence);
          section.int64(refused);
          section.text(lastRefusal);
        });
    out.section("pipeline", pipeline::encode);
    out.section("board", board::encode);
  }

  private record Progress(long sequence, long refused, String lastRefusal) {
    static Progress decode(Decoder in) throws ModelFileException {
      return new Progress(in.count("the rows"), in.count("the refused rows"), in.text());
    }
  }

  private static Learning decode(Decoder in) throws ModelFileException {
    Progress progress = in.section("progress", Progress::decode);
    Pipeline pipeline = in.section("pipeline", Pipeline::decode);
    Scoreboard board = in.section("board", Scoreboard::decode);
    return new Learning(pipeline, board, progress.sequence, progress.refused, progress.lastRefusal);
  }

  /** The state that a snapshot holds. */
  static Learning fromBytes(byte[] bytes) throws ModelFileException {
    return ModelFile.parse(bytes).read(Map.of(KIND, Learning::decode));
  }
}
