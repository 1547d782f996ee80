package org.avm4j.auto.expert;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Features;

/**
 * One row of a stream as experts see it: its features, and the labels that came before it. Inputs
 * that several experts share are computed once. Not safe for use by several threads.
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

  /** Makes this moment stand for another row and the labels before it. */
  public Moment of(Features x, PastLabels before) {
    row = x;
    labels = before;
    for (View view : views) {
      view.seen = null;
    }
    return this;
  }

  /** The unscaled row. */
  Features row() {
    return row;
  }

  /** The labels before this row. */
  public PastLabels labels() {
    return labels;
  }

  /** The latest numeric label; 0 before the first one. */
  public double latest() {
    double last = labels.ago(1);
    return Double.isNaN(last) ? 0 : last;
  }

  /** The row seen through some inputs; valid until {@link #of} is called again. */
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
