package org.avm4j.auto.expert;

import java.util.Arrays;
import java.util.TreeMap;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;

/**
 * Answers with the latest number. For classes, scores follow from how often each class came after
 * the latest one; the latest class itself has a head start.
 */
public final class LastLabel implements Expert {
  private final Task.Kind task;
  private final TreeMap<Double, ClassTable> followers = new TreeMap<>();

  /** An untrained expert. */
  public LastLabel(Task.Kind task) {
    this.task = task;
  }

  @Override
  public String name() {
    return "last label";
  }

  @Override
  public boolean seesLabels() {
    return true;
  }

  @Override
  public void score(Moment now, double[] classes, double[] into) {
    double last = now.labels().ago(1);
    if (Double.isNaN(last) || task == Task.Kind.REGRESSION) {
      Arrays.fill(into, 0, Math.max(1, classes.length), 0);
      into[0] = now.latest();
      return;
    }
    ClassTable next = followers.get(last);
    double total = next == null ? 1 : 1 + next.total();
    if (task == Task.Kind.BINARY) {
      into[0] = 2 * count(next, last, 1) / total - 1;
      return;
    }
    for (int c = 0; c < classes.length; c++) {
      into[c] = 2 * count(next, last, classes[c]) / total - 1;
    }
  }

  private static double count(ClassTable next, double last, double label) {
    return (next == null ? 0 : next.get(label)) + (label == last ? 1 : 0);
  }

  @Override
  public void learn(Moment now, double y, double weight) {
    double last = now.labels().ago(1);
    boolean isClass = task != Task.Kind.REGRESSION && !Double.isNaN(last);
    if (isClass && (followers.size() < ClassTable.MOST || followers.containsKey(last))) {
      followers.computeIfAbsent(last, label -> new ClassTable()).add(y, weight);
    }
  }

  @Override
  public LastLabel freeze() {
    return ModelFile.copy(name(), out -> encode(out, new SharedInputs()), in -> decode(in, task));
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    out.byLabel(followers, ClassTable::encode);
  }

  static LastLabel decode(Decoder in, Task.Kind task) throws ModelFileException {
    LastLabel expert = new LastLabel(task);
    int count = in.int32("the labels that were followed", ClassTable.MOST);
    for (int i = 0; i < count; i++) {
      double label = in.finite("a label");
      expert.followers.put(label, ClassTable.decode(in));
    }
    return expert;
  }
}
