package org.avm4j.auto;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Limit;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Rules;
import org.avm4j.pipeline.LabelLags;
import org.avm4j.table.Scaling;

/**
 * The options that are given by hand, and those that {@link AutoAvm} chooses from the stream.
 *
 * @param base the options that are given; the values of free options are placeholders
 * @param scaling how features are scaled, unless the scaling is free
 * @param free the options chosen from the stream
 * @param delay the number of rows that are answered between a row and its label
 * @param tableRows the number of rows of a table that is learned in random order; 0 for a stream
 */
public record AutoOptions(
    AvmOptions base, Scaling scaling, Set<Choice> free, int delay, long tableRows) {
  /** Size cap used when none is given. */
  public static final int DEFAULT_SIZE = 500;

  /** A diameter so small that only exact duplicates share a cell: the size cap alone decides. */
  public static final double NO_DIAMETER = 1e-9;

  /** The order of the flags in files. It never changes. */
  private static final List<Choice> ON_DISK =
      List.of(Choice.TASK, Choice.LOSS, Choice.KERNEL, Choice.WIDTH, Choice.PRIOR, Choice.SCALING);

  /**
   * Choices of later versions. An empty section with the name of a choice means that it is free.
   */
  private static final List<Choice> LATER =
      List.of(Choice.TREE, Choice.LINEAR, Choice.CHANGE, Choice.METRIC);

  private static final String DELAY = "delay";
  private static final String TABLE = "table";

  /** What can be chosen from the stream. */
  public enum Choice {
    /** The task, and with it the loss, if the loss is free too. */
    TASK,
    /** The loss: hinge for classes, squared for numbers. */
    LOSS,
    /** The shape of the kernel. */
    KERNEL,
    /** The width of the kernel. */
    WIDTH,
    /** The strength of the prior. */
    PRIOR,
    /** How features are scaled. */
    SCALING,
    /** Whether one machine learns the stream, or a tree of machines that grows. */
    TREE,
    /** Whether scores also depend on the features linearly. */
    LINEAR,
    /**
     * Whether experts follow a changing stream beside the learner: they forget, or use the latest
     * label as an input. Only for rows that are learned in the order in which they are answered.
     */
    CHANGE,
    /** The metric: the weight of each feature in the distance of two rows, or a matrix. */
    METRIC
  }

  public AutoOptions {
    Rules.require(base.update().isSecondOrder(), "the update must be Newton", base.update());
    Rules.require(
        delay >= 0 && delay <= LabelLags.LONGEST_DELAY, "a delay must be 0 to 2²⁰ rows", delay);
    Rules.require(tableRows >= 0, "the rows of a table must not be negative", tableRows);
    free = Set.copyOf(free);
  }

  /** Options for labels that are known as soon as a row was answered. */
  public AutoOptions(AvmOptions base, Scaling scaling, Set<Choice> free) {
    this(base, scaling, free, 0, 0);
  }

  /**
   * The same options for labels that come late: each row is learned after this number of further
   * answers. What experts learn and are judged by are then the labels that were known at the time
   * of the answer.
   */
  public AutoOptions withDelay(int rows) {
    return new AutoOptions(base, scaling, free, rows, tableRows);
  }

  /**
   * The same options for a table of this many rows, learned in random order. The learner then
   * searches less often: only its final settings count, and a short table has no use for a second
   * search.
   */
  public AutoOptions forTable(long rows) {
    return new AutoOptions(base, scaling, free, delay, rows);
  }

  /** Everything is chosen from the stream, and a tree of machines may grow. */
  public static AutoOptions all() {
    return new AutoOptions(base(DEFAULT_SIZE), Scaling.NONE, EnumSet.allOf(Choice.class));
  }

  /** Everything but the size is chosen: one machine with at most {@code maxSize} vectors. */
  public static AutoOptions all(int maxSize) {
    EnumSet<Choice> free = EnumSet.allOf(Choice.class);
    free.remove(Choice.TREE);
    free.remove(Choice.CHANGE);
    free.remove(Choice.METRIC);
    return new AutoOptions(base(maxSize), Scaling.NONE, free);
  }

  /** Everything but the task is chosen, and a tree of machines may grow. */
  public static AutoOptions of(Task task) {
    EnumSet<Choice> free = EnumSet.allOf(Choice.class);
    free.remove(Choice.TASK);
    AvmOptions base = base(DEFAULT_SIZE).change().task(task).loss(task.defaultLoss()).build();
    return new AutoOptions(base, Scaling.NONE, free);
  }

  private static AvmOptions base(int maxSize) {
    return AvmOptions.binary()
        .update(Update.newton())
        .coverage(Coverage.sphere(NO_DIAMETER))
        .maxSize(maxSize, Limit.MERGE)
        .build();
  }

  /** Whether a tree of machines takes over after the last search. */
  boolean growsTree() {
    return isFree(Choice.TREE) && !base.forgetting().forgets();
  }

  /** Whether experts run beside the learner. */
  boolean followsChange() {
    return growsTree()
        && isFree(Choice.CHANGE)
        && (isFree(Choice.LOSS) || !base.loss().hasLogits());
  }

  boolean learnsMetric() {
    return growsTree() && isFree(Choice.METRIC) && !isGiven();
  }

  /** The free options, by their names on the command line. */
  List<String> freeWords() {
    return free.stream().map(choice -> choice.name().toLowerCase(Locale.ROOT)).sorted().toList();
  }

  boolean isFree(Choice choice) {
    return free.contains(choice);
  }

  /** Whether no search is needed. */
  boolean isGiven() {
    return Collections.disjoint(
        free, EnumSet.of(Choice.KERNEL, Choice.WIDTH, Choice.PRIOR, Choice.SCALING));
  }

  void encode(Encoder out) {
    base.encode(out);
    scaling.encode(out);
    for (Choice choice : ON_DISK) {
      out.bool(isFree(choice));
    }
    for (Choice choice : LATER) {
      if (isFree(choice)) {
        out.section(choice.name(), nothing -> {});
      }
    }
    if (delay > 0) {
      out.section(DELAY, section -> section.int32(delay));
    }
    if (tableRows > 0) {
      out.section(TABLE, section -> section.int64(tableRows));
    }
  }

  static AutoOptions decode(Decoder in) throws ModelFileException {
    AvmOptions base = AvmOptions.decode(in);
    Scaling scaling = Scaling.decode(in);
    EnumSet<Choice> free = EnumSet.noneOf(Choice.class);
    for (Choice choice : ON_DISK) {
      if (in.bool()) {
        free.add(choice);
      }
    }
    for (Choice choice : LATER) {
      if (in.hasSection(choice.name())) {
        in.section(choice.name(), nothing -> free.add(choice));
      }
    }
    Decoder.check(base.update().isSecondOrder(), "the update must be Newton", base);
    int delay =
        in.optional(DELAY, section -> section.int32("the delay", LabelLags.LONGEST_DELAY))
            .orElse(0);
    long tableRows = in.optional(TABLE, section -> section.count("the rows")).orElse(0L);
    return new AutoOptions(base, scaling, free, delay, tableRows);
  }
}
