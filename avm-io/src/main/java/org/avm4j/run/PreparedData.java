package org.avm4j.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;
import org.avm4j.io.ColumnSummary;
import org.avm4j.io.ReadOptions;
import org.avm4j.io.TableOptions;
import org.avm4j.io.TableProfile;
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
  private static final String NO_ROWS = "there are no rows";

  /** If few rows have labels, the look ends after this multiple of the warm-up. */
  private static final int MOST_KEPT = 16;

  private final DataSource source;
  private final boolean needsLabels;
  private final boolean fillsColumns;
  private final Schema schema = new Schema();
  private final Survey survey;
  private final List<Instance> warmUp = new ArrayList<>();
  private final List<Long> warmUpLines = new ArrayList<>();
  private final RowStream stream;
  private final LabelOrder order = new LabelOrder();
  private final List<Note> notes = new ArrayList<>();
  private Optional<String> firstBadLine = Optional.empty();
  private TimeOrder time = TimeOrder.NONE;
  private List<ColumnSummary> columns = List.of();
  private RowStream current;
  private IOException end;
  private boolean isCutShort;
  private boolean hasFewLabels;
  private KeptRows kept;
  private long unlabelled;
  private ShuffledRows shuffled;
  private long rejected;
  private long rejectedBefore;

  /** Unlabelled rows to interleave; null if there are none. */
  private DataSource others;

  private InterleavedRows beside;
  private LabelLags lags;
  private LabelLags ended;

  private PreparedData(DataSource given, LearnerSpec spec, int warmUp, boolean guessesLabel) {
    ReadOptions read = given.options();
    needsLabels = !spec.isUnsupervised();
    TableOptions table = read.table().withLookAhead(Math.max(1, warmUp)).withAbsent(true);
    source = given.withOptions(read.withTable(table.withNamedLabelOnly(!guessesLabel)));
    fillsColumns = read.table().allowsAbsent();
    survey = new Survey(spec.scaling());
    stream = source.isStream() ? source.open(schema) : null;
    current = stream;
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
    return look(new PreparedData(source, spec, warmUp, !spec.isUnsupervised()), warmUp);
  }

  /**
   * Surveys all rows of data from which nothing is learned. The label is found as for learning, but
   * rows may lack it.
   */
  public static PreparedData survey(DataSource source) throws IOException {
    LearnerSpec anything = LearnerSpec.automatic().with("task", "anomaly");
    int all = Integer.MAX_VALUE;
    return look(new PreparedData(source, anything, all, true), all);
  }

  private static PreparedData look(PreparedData data, int warmUp) throws IOException {
    if (data.isStream()) {
      data.lookAtStream(warmUp);
    } else {
      data.lookAtFiles();
    }
    data.checkRows();
    return data;
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
    int width = Math.max(plain.schema.dimension(), plain.survey.dimension());
    PreparedData data = new PreparedData(source, spec, 1, true);
    data.lags = new LabelLags(count, width, delay, List.of());
    data.lookAtFiles();
    data.checkRows();
    return data;
  }

  /** The lags, with the last labels of the data, which are features of rows after it. */
  public Optional<LabelLags> lags() {
    return Optional.ofNullable(ended);
  }

  private void checkRows() throws BadDataException {
    if (survey.rows() > 0) {
      return;
    }
    String label = schema.origin().label();
    throw new BadDataException(
        source.toString(),
        unlabelled == 0
            ? NO_ROWS + firstBadLine.map(line -> "; the first that is bad: " + line).orElse("")
            : "no row has a label" + (label == null ? "" : " in column '" + label + "'"));
  }

  /** Surveys a stream. Rows before a bad line are kept: they are learned before the run stops. */
  private void lookAtStream(int most) throws IOException {
    try {
      look(stream, most);
    } catch (IOException broken) {
      if (survey.rows() == 0) {
        throw broken;
      }
      end = broken;
    }
  }

  private void lookAtFiles() throws IOException {
    ReadOptions looking = source.options();
    TableProfile table = declare();
    columns = table.columns();
    if (needsLabels && table.labelProblem().isPresent() && !source.skipsBadLines()) {
      throw new BadDataException(source.toString(), table.labelProblem().get());
    }
    notes.addAll(table.notes());
    time = TimeOrder.of(table);
    try (RowStream rows =
        source
            .withOptions(looking.withTable(looking.table().withLookAhead(1)))
            .open(schema)
            .withLags(lags)
            .ahead()) {
      look(rows, Long.MAX_VALUE);
      ended = rows.lags().orElse(null);
      notes.addAll(rows.notes());
      firstBadLine = rows.leftOut().firstBadLine();
    }
    boolean isCounted = table.counter().isPresent();
    time = time.or(order, isCounted).ofRows(survey.rows());
    if (lags != null) {
      assumeTimeOrder("--lags");
    }
  }

  private TableProfile declare() throws IOException {
    try {
      TableOptions given = source.options().table().withAbsent(fillsColumns);
      return TableProfile.declare(source.names(), source.options().withTable(given), schema);
    } catch (IllegalArgumentException refused) {
      throw new BadDataException(source.toString(), refused.getMessage());
    }
  }

  /**
   * Surveys at most {@code most} rows with a label. Unless that is {@link Integer#MAX_VALUE} or
   * larger, the survey of a slow stream, or of one with few labels, ends early.
   */
  private void look(RowStream rows, long most) throws IOException {
    while (survey.rows() < most && !isCutShort && !hasFewLabels && rows.next()) {
      if (isUsable(rows)) {
        survey.add(rows.features(), rows.label());
        order.add(rows.label());
        time.add(rows.file(), rows.line());
        keep(rows, rows.features().copy());
      } else {
        rows.undo();
        unlabelled++;
        keep(rows, known(rows.features()));
      }
      boolean mayEnd = isStream() && survey.rows() > 0 && most < Integer.MAX_VALUE;
      isCutShort = mayEnd && rows.isSlow();
      hasFewLabels = mayEnd && warmUp.size() >= MOST_KEPT * most && survey.rows() < most;
    }
  }

  private void keep(RowStream rows, Features features) {
    if (isStream()) {
      warmUp.add(new Instance(features, rows.label(), rows.weight()));
      warmUpLines.add(rows.line());
    }
  }

  /** A copy without features of new names, whose indices other names may get later. */
  private Features known(Features row) {
    if (schema.columns().isEmpty()) {
      return row.copy();
    }
    Features.Buffer known = new Features.Buffer();
    for (int i = 0; i < row.count(); i++) {
      if (row.index(i) < schema.dimension()) {
        known.add(row.index(i), row.value(i));
      }
    }
    return known.features();
  }

  private boolean isUsable(InstanceReader row) {
    return isUsable(row.label());
  }

  private boolean isUsable(double label) {
    return !needsLabels || !Double.isNaN(label);
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
      try (RowStream first = others.open(schema.frozen())) {
        if (!first.next()) {
          throw new BadDataException(others.toString(), NO_ROWS);
        }
      }
    }
  }

  /** The figures of the surveyed rows. */
  public Survey survey() {
    return survey;
  }

  /** Notes for users on how the data was read, one sentence each. */
  public List<Note> notes() {
    List<Note> all = new ArrayList<>(notes);
    if (isCutShort) {
      all.add(earlyNote("rows arrive slowly"));
    } else if (hasFewLabels) {
      all.add(earlyNote("few rows have labels"));
    }
    if (isStream()) {
      all.addAll(stream.notes());
    }
    return all;
  }

  private Note earlyNote(String reason) {
    return Note.of(
        String.format(
            Locale.ROOT,
            "%s: the first %,d with a label determine the task and the scaling",
            reason,
            survey.rows()));
  }

  /** Summaries of the columns of CSV files; empty for a stream or another format. */
  public List<ColumnSummary> columns() {
    return columns;
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
    time = time.orGiven(flag).ofRows(survey.rows());
  }

  /** Treats the rows as if they had no order in time from now on. */
  public void ignoreTimeOrder() {
    time = TimeOrder.NONE;
  }

  /** Statistics on the order of the labels. */
  public LabelOrder order() {
    return order;
  }

  /** The names of columns, categories and labels; those of a stream may still grow. */
  public Schema schema() {
    return schema;
  }

  /** The number of rows; 0 for a stream. */
  public long rows() {
    return isStream() ? 0 : survey.rows();
  }

  /** Whether the rows can be read only once. */
  public boolean isStream() {
    return stream != null;
  }

  /** The rules that make a learner for this data. */
  public DefaultRules rules(LearnerSpec spec) {
    return new DefaultRules(spec, survey, schema, rows());
  }

  /**
   * Opens the rows from the first on, read ahead; for a stream this can be called only once. The
   * rows of files add no names, because the survey has found all of them.
   */
  public InstanceReader open() {
    return new Labelled(openAll());
  }

  /** The same, including rows without a label, whose label is NaN. */
  InstanceReader openAll() {
    current =
        end != null
            ? stream
            : (isStream() ? stream : source.open(schema.frozen()).withLags(lags)).ahead();
    InstanceReader rest = end == null ? current : new FailingRows(end);
    kept = isStream() ? new KeptRows(warmUp, rest) : null;
    InstanceReader rows = isStream() ? kept : current;
    beside = others == null ? null : new InterleavedRows(rows, openOthers());
    return beside == null ? rows : beside;
  }

  /** Opens the unlabelled rows; not read ahead if a stream adds names to the schema meanwhile. */
  private RowStream openOthers() {
    RowStream more = others.open(schema.frozen());
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
    return isStream() ? warmUp.stream().filter(row -> isUsable(row.label())).toList() : first(rows);
  }

  /** Copies rows in a random order that depends only on the seed. */
  public static List<Instance> shuffled(List<Instance> rows, long seed) {
    List<Instance> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled;
  }

  /** Skips the row just read, or throws if bad lines are not skipped. */
  void reject(String reason) throws BadDataException {
    if (isOther()) {
      beside.others().reject(reason);
    } else if (shuffled != null) {
      current.reject(shuffled.file(), shuffled.line(), reason);
    } else if (isKept()) {
      current.reject(current.file(), warmUpLines.get((int) kept.line() - 1), reason);
    } else {
      current.reject(reason);
    }
    rejected++;
  }

  /** The message of an exception, with the name of the column if it is about a feature. */
  String message(IllegalArgumentException refused) {
    return message(refused, schema);
  }

  static String message(IllegalArgumentException refused, Schema schema) {
    return refused instanceof FeatureException feature
        ? feature.message(schema::featureName)
        : refused.getMessage();
  }

  /** Removes names from the schema that the row just read has added. */
  void undo() {
    if (!isOther() && !isKept()) {
      current.undo();
    }
  }

  /** Whether the row just read is one of the interleaved unlabelled rows. */
  boolean isOther() {
    return beside != null && beside.isOther();
  }

  /** Whether the row just read is one of the warm-up. */
  private boolean isKept() {
    return kept != null && kept.isFromMemory();
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
    return task.isUnsupervised() ? Integer.toString((int) answer) : schema.labelText(answer);
  }

  /** What was left out of the rows that were opened last. */
  public LeftOut leftOut() {
    LeftOut now = current == null ? LeftOut.NOTHING : current.leftOut();
    LeftOut all = beside == null ? now : now.and(beside.others().leftOut());
    return all.withBadLines(rejectedBefore);
  }

  /** Skips rows without a label if labels are needed. */
  private final class Labelled implements InstanceReader {
    private final InstanceReader rows;

    Labelled(InstanceReader rows) {
      this.rows = rows;
    }

    @Override
    public boolean next() throws IOException {
      boolean found = rows.next();
      while (found && !isUsable(rows)) {
        undo();
        current.countUnlabelled();
        found = rows.next();
      }
      return found;
    }

    @Override
    public Features features() {
      return rows.features();
    }

    @Override
    public double label() {
      return rows.label();
    }

    @Override
    public double weight() {
      return rows.weight();
    }

    @Override
    public long line() {
      return rows.line();
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }
  }
}
