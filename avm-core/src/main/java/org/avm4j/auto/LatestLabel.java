package org.avm4j.auto;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;

/**
 * The label that was learned last, as features before those of a row: one for a number or one of
 * two classes, else one for each class that has a place.
 *
 * <p>Its scale is a part of the mean distance of two rows, small enough that the kernel hardly sees
 * it: it is the linear part of a machine that makes use of it.
 */
final class LatestLabel {
  /** Two rows that differ in the label alone are this part of the mean distance apart. */
  private static final double PART = 0.3;

  /** The most classes that have a place. */
  private static final int MOST = 64;

  /** Classes that may still appear and get a place. */
  private static final int SPARE = 2;

  private final Columns classes;
  private final double distance;
  private final double[] values;

  private LatestLabel(Columns classes, double distance, double[] values) {
    this.classes = classes;
    this.distance = distance;
    this.values = values;
  }

  /** No label yet, of a task with a given number of classes, if it has classes. */
  static LatestLabel of(Task task, int classes, double distance) {
    boolean hasClasses = task.kind() == Task.Kind.MULTICLASS;
    int places = hasClasses ? Math.min(MOST, classes + SPARE) : 1;
    return new LatestLabel(
        hasClasses ? Columns.perClass(List.of()) : Columns.single(), distance, new double[places]);
  }

  /** The number of features it takes. */
  int places() {
    return values.length;
  }

  /** From now on this is the latest label. */
  void see(double label) {
    if (classes.find(label) == Columns.NONE) {
      classes.add(label);
    }
    Arrays.fill(values, 0);
    boolean isOneOfMany = values.length > 1;
    int place = classes.find(label);
    if (place < values.length) {
      values[place] = PART * distance * (isOneOfMany ? Math.sqrt(0.5) : 0.5 * clip(label));
    }
  }

  private static double clip(double label) {
    return Math.max(-5, Math.min(5, label));
  }

  /** The row behind the latest label. */
  Features beside(Features row, Features.Buffer into) {
    into.clear();
    for (int place = 0; place < values.length; place++) {
      if (values[place] != 0) {
        into.add(place, values[place]);
      }
    }
    int most = Features.MAX_DIMENSION - values.length;
    for (int i = 0; i < row.count() && row.index(i) < most; i++) {
      into.add(values.length + row.index(i), row.value(i));
    }
    return into.features();
  }

  /** The same label, whatever is seen later. */
  LatestLabel snapshot() {
    return new LatestLabel(noClasses(), distance, values.clone());
  }

  /** One whose label is not known: between all classes, or the mean of all numbers. */
  LatestLabel unknown() {
    return new LatestLabel(noClasses(), distance, new double[values.length]);
  }

  private Columns noClasses() {
    return values.length > 1 ? Columns.perClass(List.of()) : Columns.single();
  }

  void encode(Encoder out) {
    out.bool(values.length > 1);
    out.float64(distance);
    out.int32(values.length);
    out.doubles(values, values.length);
    classes.encode(out);
  }

  static LatestLabel decode(Decoder in) throws ModelFileException {
    Columns classes = in.bool() ? Columns.perClass(List.of()) : Columns.single();
    double distance = in.finite("the mean distance");
    int places = in.int32("the places of labels", MOST);
    Decoder.check(places > 0, "a label must have a place", places);
    double[] values = in.doubles(places, places);
    classes.decode(in);
    return new LatestLabel(classes, distance, values);
  }
}
