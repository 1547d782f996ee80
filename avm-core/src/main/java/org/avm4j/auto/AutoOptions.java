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
import org.avm4j.table.Scaling;

/**
 * What is given by hand, and what {@link AutoAvm} is to choose from the stream.
 *
 * @param base the choices that are given; those that are free are only examples
 * @param scaling how features are scaled, if that is not free
 * @param free what is chosen from the stream
 */
public record AutoOptions(AvmOptions base, Scaling scaling, Set<Choice> free) {
  /** Size cap used when none is given. */
  public static final int DEFAULT_SIZE = 500;

  /** A diameter so small that only exact duplicates share a cell: the size cap alone decides. */
  public static final double NO_DIAMETER = 1e-9;

  /** The order of the flags in files, which never changes. */
  private static final List<Choice> ON_DISK =
      List.of(Choice.TASK, Choice.LOSS, Choice.KERNEL, Choice.WIDTH, Choice.PRIOR, Choice.SCALING);

  /** Choices that came later: a section without content says that one is free. */
  private static final List<Choice> LATER =
      List.of(Choice.TREE, Choice.LINEAR, Choice.CHANGE, Choice.METRIC);

  /** What can be chosen from the stream. */
  public enum Choice {
    /** The task, and with it the loss, if that is free too. */
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
     * How far back to remember, and whether the latest label tells the next one, beside a tree of
     * machines. Only for rows that are learned in the order in which they are answered.
     */
    CHANGE,
    /** What counts in the distance of two rows: each feature by a weight, or features together. */
    METRIC
  }

  public AutoOptions {
    if (!base.update().isSecondOrder()) {
      throw new IllegalArgumentException("the update must be Newton: " + base.update());
    }
    free = Set.copyOf(free);
  }

  /** Everything is chosen, and a tree of machines may grow. */
  public static AutoOptions all() {
    return new AutoOptions(base(DEFAULT_SIZE), Scaling.NONE, EnumSet.allOf(Choice.class));
  }

  /** Everything is chosen but for the size: one machine with a limited number of vectors. */
  public static AutoOptions all(int maxSize) {
    EnumSet<Choice> free = EnumSet.allOf(Choice.class);
    free.remove(Choice.TREE);
    free.remove(Choice.CHANGE);
    free.remove(Choice.METRIC);
    return new AutoOptions(base(maxSize), Scaling.NONE, free);
  }

  /** Everything is chosen but for the task, and a tree of machines may grow. */
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

  /** Whether features are weighted by what they tell. */
  boolean learnsMetric() {
    return growsTree() && isFree(Choice.METRIC) && !isGiven();
  }

  /** What is free, by the names of the command line. */
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
    return new AutoOptions(base, scaling, free);
  }
}
