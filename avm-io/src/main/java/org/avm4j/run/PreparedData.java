package org.avm4j.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.avm4j.FeatureException;
import org.avm4j.Task;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;
import org.avm4j.io.ColumnSummary;
import org.avm4j.pipeline.LabelLags;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;

/**
 * Data that was surveyed and can now be learned. Files are read once in advance to determine the
 * task, the ranges and the number of rows. For a stream, the first rows (the warm-up) are used
 * instead; they are kept in memory and come first when the rows are opened.
 *
 * <p>Rows are not scaled: scaling belongs to the pipeline that learns them.
 */
public final class PreparedData {
  static final String NO_ROWS = "there are no rows";

  private final DataSurvey.Result found;
  private TimeOrder time;

  /** Unlabelled rows to interleave; null if there are none. */
  private DataSource others;

  private OpenRows current;
  private ShuffledRows shuffled;
  private long rejected;
  private long rejectedBefore;

  private PreparedData(DataSurvey.Result found) {
    this.found = found;
    time = found.time();
  }

  /**
   * Surveys the data.
   *
   * @param spec says how rows are scaled and whether labels are needed
   * @param warmUp the number of first rows of a stream that are examined
   * @throws BadDataException if there is no row, or a bad line that is not to be skipped
   */
  public static PreparedData look(DataSource source, LearnerSpec spec, int warmUp)
      throws IOException {
    return new PreparedData(DataSurvey.of(source, spec, warmUp, !spec.isUnsupervised(), null));
  }

  /**
   * Surveys all rows of data from which nothing is learned. The label is found as for learning, but
   * rows may lack it.
   */
  public static PreparedData survey(DataSource source) throws IOException {
    LearnerSpec anything = LearnerSpec.automatic().with("task", "anomaly");
    return new PreparedData(DataSurvey.of(source, anything, Integer.MAX_VALUE, true, null));
  }

  /**
   * Surveys files whose rows are in order of time; the labels of earlier rows become features of
   * each row.
   *
   * @param count the number of earlier labels in a row
   * @param delay the number of rows by which labels are known late; 0 if the last label is known
   * @throws IllegalArgumentException if the labels are classes
   */
  public static PreparedData lookWithLags(DataSource source, LearnerSpec spec, int count, int delay)
      throws IOException {
    PreparedData plain = look(source, spec, 1);
    if (!plain.rules(spec).task().isRegression()) {
      throw new IllegalArgumentException(
          source + ": --lags needs numeric labels, but these are classes");
    }
    int width = Math.max(plain.schema().dimension(), plain.survey().dimension());
    LabelLags lags = new LabelLags(count, width, delay, List.of());
    PreparedData data = new PreparedData(DataSurvey.of(source, spec, 1, true, lags));
    data.assumeTimeOrder("--lags");
    return data;
  }

  /** The lags, with the last labels of the data, which are features of rows after it. */
  public Optional<LabelLags> lags() {
    return Optional.ofNullable(found.lags());
  }

  /**
   * Interleaves these rows with unlabelled rows. Their columns and categories are not added to the
   * schema, and labels in them are ignored.
   *
   * @throws BadDataException if there is no such row, or the first one does not fit the schema; not
   *     checked for a pipe
   */
  public void comeWith(DataSource unlabelled) throws IOException {
    others = unlabelled.withOptions(unlabelled.options().unlabelled());
    if (!others.isStream()) {
      try (RowStream first = others.open(schema().frozen())) {
        if (!first.next()) {
          throw new BadDataException(others.toString(), NO_ROWS);
        }
      }
    }
  }

  /** The figures of the surveyed rows. */
  public Survey survey() {
    return found.figures();
  }

  /** Notes for users on how the data was read, one sentence each. */
  public List<Note> notes() {
    return isStream() ? found.warmUp().notes() : found.notes();
  }

  /** Summaries of the columns of CSV files; empty for a stream or another format. */
  public List<ColumnSummary> columns() {
    return found.columns();
  }

  /** How many of the surveyed rows are exact copies of others. */
  public RowCopies copies() {
    return found.copies();
  }

  /** The order of the rows in time; not examined for a stream. */
  public TimeOrder timeOrder() {
    return time;
  }

  /**
   * Treats the rows as if they were in order of time from now on.
   *
   * @param flag the command-line flag that demands it
   */
  void assumeTimeOrder(String flag) {
    time = time.orGiven(flag).ofRows(survey().rows());
  }

  /** Treats the rows as if they had no order in time from now on. */
  public void ignoreTimeOrder() {
    time = TimeOrder.NONE;
  }

  /** Statistics on the order of the labels. */
  public LabelOrder order() {
    return found.order();
  }

  /** The names of columns, categories and labels; those of a stream may still grow. */
  public Schema schema() {
    return found.schema();
  }

  /** The number of rows; 0 for a stream. */
  public long rows() {
    return isStream() ? 0 : survey().rows();
  }

  /** Whether the rows can be read only once. */
  public boolean isStream() {
    return found.warmUp() != null;
  }

  /** The rules that make a learner for this data. */
  public DefaultRules rules(LearnerSpec spec) {
    return new DefaultRules(spec, survey(), schema(), rows());
  }

  /**
   * Opens the rows from the first on, read ahead; for a stream this can be called only once. The
   * rows of files add no names, because the survey has found all of them.
   */
  public InstanceReader open() {
    return open(found.needsLabels());
  }

  /** The same, including rows without a label, whose label is NaN. */
  InstanceReader openAll() {
    return open(false);
  }

  private OpenRows open(boolean skipsUnlabelled) {
    LabelLags before = lags().map(known -> known.endingIn(List.of())).orElse(null);
    RowStream rows =
        isStream()
            ? found.warmUp().stream()
            : found.source().open(schema().frozen()).withLags(before).ahead();
    current =
        new OpenRows(rows, found.warmUp(), others == null ? null : openOthers(), skipsUnlabelled);
    return current;
  }

  /** Opens the unlabelled rows; not read ahead if a stream adds names to the schema meanwhile. */
  private RowStream openOthers() {
    RowStream more = others.open(schema().frozen());
    return isStream() ? more : more.ahead();
  }

  /**
   * Opens all rows in a random order that depends only on the seed. If they do not fit into memory,
   * the files are read several times, each time for a random part of the rows.
   */
  public InstanceReader openShuffled(long seed) throws IOException {
    shuffled = new ShuffledRows(this, seed);
    return shuffled;
  }

  /** The file of the latest row. */
  String file() {
    return current.file();
  }

  /** All rows in memory. */
  public List<Instance> all() throws IOException {
    return first(Integer.MAX_VALUE);
  }

  /** The first rows in memory. */
  public List<Instance> first(int rows) throws IOException {
    List<Instance> first = new ArrayList<>();
    try (InstanceReader reader = open()) {
      while (first.size() < rows && reader.next()) {
        first.add(new Instance(reader.features().copy(), reader.label(), reader.weight()));
      }
    }
    return first;
  }

  /**
   * The first rows of files, or the warm-up of a stream; all rows can still be opened after this.
   */
  public List<Instance> sample(int rows) throws IOException {
    return isStream()
        ? found.warmUp().rows().stream()
            .filter(row -> !found.needsLabels() || !Double.isNaN(row.label()))
            .toList()
        : first(rows);
  }

  /** Copies rows in a random order that depends only on the seed. */
  public static List<Instance> shuffled(List<Instance> rows, long seed) {
    List<Instance> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled;
  }

  /** Skips the row just read, or throws if bad lines are not skipped. */
  void reject(String reason) throws BadDataException {
    if (shuffled == null || isOther()) {
      current.reject(reason);
    } else {
      current.reject(shuffled.file(), shuffled.line(), reason);
    }
    rejected++;
  }

  /** The message of an exception, with the name of the column if it is about a feature. */
  String message(IllegalArgumentException refused) {
    return message(refused, schema());
  }

  static String message(IllegalArgumentException refused, Schema schema) {
    return refused instanceof FeatureException feature
        ? feature.message(schema::featureName)
        : refused.getMessage();
  }

  /** Removes names from the schema that the row just read has added. */
  void undo() {
    current.undo();
  }

  /** Whether the row just read is one of the interleaved unlabelled rows. */
  boolean isOther() {
    return current.isOther();
  }

  /** The number of rows that the learner refused. */
  long rejected() {
    return rejected;
  }

  /** Resumes with a given number of refused rows. */
  void resume(long rejectedSoFar) {
    rejected = rejectedSoFar;
    rejectedBefore = rejectedSoFar;
  }

  /**
   * An answer as text: a label of the data; 1 for an anomaly and -1 for none; the number of a
   * cluster; ? if there is no answer yet.
   */
  String answerText(double answer, Task task) {
    if (Double.isNaN(answer)) {
      return "?";
    }
    return task.isUnsupervised() ? Integer.toString((int) answer) : schema().labelText(answer);
  }

  /** What was left out of the rows that were opened last. */
  public LeftOut leftOut() {
    LeftOut known = isStream() ? found.warmUp().stream().leftOut() : LeftOut.NOTHING;
    return (current == null ? known : current.leftOut()).withBadLines(rejectedBefore);
  }
}
