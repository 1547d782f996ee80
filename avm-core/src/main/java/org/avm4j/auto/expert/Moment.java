package org.avm4j.auto.expert;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Features;

/**
 * One row of a stream as experts see it: its features, and the labels that came before it. What
 * several experts see alike is computed once. It belongs to one thread.
 */
public final class Moment {
  /** A row as some experts see it. */
  private static final class View {
    private final Inputs inputs;
    private final Features.Buffer buffer = new Features.Buffer();
    private Features seen;

    View(Inputs inputs) {
      this.inputs = inputs;
    }
  }

  private final List<View> views = new ArrayList<>();
  private PastLabels labels;
  private Features row;

  /** From now on it stands for this row after these labels. */
  public Moment of(Features x, PastLabels before) {
    row = x;
    labels = before;
    for (View view : views) {
      view.seen = null;
    }
    return this;
  }

  /** The row as it came. */
  Features row() {
    return row;
  }

  /** The labels before this row. */
  public PastLabels labels() {
    return labels;
  }

  /** The latest number as an offset; 0 before the first. */
  public double latest() {
    double last = labels.ago(1);
    return Double.isNaN(last) ? 0 : last;
  }

  /** The row as some inputs show it; valid until the moment stands for another row. */
  public Features through(Inputs inputs) {
    View view = view(inputs);
    if (view.seen == null) {
      view.seen = inputs.read(row, this, view.buffer);
    }
    return view.seen;
  }

  private View view(Inputs inputs) {
    for (View view : views) {
      if (view.inputs == inputs) {
        return view;
      }
    }
    View view = new View(inputs);
    views.add(view);
    return view;
  }
}
