package org.avm4j.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;

/**
 * Which columns mattered in each part of a stream: the {@link Importance} at the end of parts of
 * equal length, for a snapshot of the learner and rows that it had not learned.
 *
 * <pre>{@code
 * ImportanceHistory history = new ImportanceHistory(rows, schema, seed);
 * for (...) {
 *   learner.learn(x, label);
 *   history.add(x, label, learner::snapshot);
 * }
 * history.moments();
 * }</pre>
 *
 * <p>A stream of known length has {@value #PARTS} parts. For other streams the parts grow: at twice
 * that number of parts every second one is dropped, and later parts are twice as long. So memory
 * and the number of measurements stay small for an endless stream.
 *
 * <p>In a file: the length of a part (8), the rows that came (8), the seed (8), whether rows are
 * being kept (1), and if so the model from before them and these rows (4, and of each its label (8)
 * and its features); the moments (4, and of each its row (8) and its importance).
 */
public final class ImportanceHistory {
  /** Parts of a stream whose length is known. */
  public static final int PARTS = 10;

  private static final int MOST_PARTS = 2 * PARTS;

  /** Fewest rows of a part, of which half are measured; fewer would show nothing. */
  private static final long SHORTEST_PART = 100;

  /** Length of the first parts of a stream of unknown length, in rows. */
  private static final long FIRST_PART = 1_000;

  /** Number of rows at the end of a part that are measured. */
  private static final int MEASURED_ROWS = 200;

  /**
   * Approximate number of answers of a measurement; all parts together cost as much as one
   * measurement of a whole run.
   */
  private static final long ANSWERS = 2_000;

  private final Schema schema;
  private final long seed;
  private long part;
  private long rows;

  /** The model before the stored rows; null if no rows are stored. */
  private Model model;

  private final List<Instance> kept = new ArrayList<>();
  private List<Moment> moments = new ArrayList<>();

  /**
   * What was measured at the end of a part.
   *
   * @param row the number of rows that had come
   * @param importance how much the model depended on each column then
   */
  public record Moment(long row, Importance importance) {}

  /**
   * The history of a stream that has not started.
   *
   * @param rows its length; 0 if unknown
   * @param schema the names of the features
   * @param seed the seed of permutations; the same seed gives the same digits
   */
  public ImportanceHistory(long rows, Schema schema, long seed) {
    this.schema = schema;
    this.seed = seed;
    part = rows == 0 ? FIRST_PART : Math.max(SHORTEST_PART, rows / PARTS);
  }

  /**
   * Takes a row that was just learned.
   *
   * @param snapshot makes a snapshot of the learner; called once in each part
   * @throws IllegalArgumentException if the task needs no labels, when the first part ends
   */
  public void add(Features x, double label, Supplier<? extends Model> snapshot) {
    rows++;
    if (model != null) {
      kept.add(new Instance(x.copy(), label));
    }
    long left = part - rows % part;
    if (left == Math.min(MEASURED_ROWS, part / 2)) {
      model = snapshot.get();
    } else if (left == part && kept.size() > 1) {
      measure();
    }
  }

  private void measure() {
    moments.add(new Moment(rows, Importance.measure(model, kept, schema, seed, ANSWERS)));
    model = null;
    kept.clear();
    if (moments.size() >= MOST_PARTS) {
      part *= 2;
      moments = new ArrayList<>(moments.stream().filter(each -> each.row % part == 0).toList());
    }
  }

  /** What was measured so far, the earliest first. */
  public List<Moment> moments() {
    return List.copyOf(moments);
  }

  /** Appends the whole state. */
  public void encode(Encoder out) {
    out.int64(part);
    out.int64(rows);
    out.int64(seed);
    out.bool(model != null);
    if (model != null) {
      out.nested(model);
      out.list(
          kept,
          (row, to) -> {
            to.float64(row.label());
            row.features().encode(to);
          });
    }
    out.list(
        moments,
        (moment, to) -> {
          to.int64(moment.row);
          moment.importance.encode(to);
        });
  }

  /** The history that was appended, with the names of the features. */
  public static ImportanceHistory decode(Decoder in, Schema schema) throws ModelFileException {
    long part = in.count("the rows of a part");
    Decoder.check(part >= SHORTEST_PART, "a part must have rows", part);
    long rows = in.count("the rows of a history");
    ImportanceHistory found = new ImportanceHistory(0, schema, in.int64());
    found.part = part;
    found.rows = rows;
    if (in.bool()) {
      found.model = FileKinds.installed().model(Model.class, in);
      int kept = in.int32("the rows that are kept", MEASURED_ROWS);
      for (int i = 0; i < kept; i++) {
        double label = in.finite("a label");
        found.kept.add(new Instance(Features.decode(in), label));
      }
    }
    found.moments.addAll(
        in.list(
            "the moments",
            MOST_PARTS,
            m -> new Moment(m.count("the row of a moment"), Importance.decode(m))));
    return found;
  }
}
