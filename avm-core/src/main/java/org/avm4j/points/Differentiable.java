package org.avm4j.points;

import org.avm4j.Features;
import org.avm4j.Predictor;

/** A model whose scores have a gradient. */
public interface Differentiable {
  /**
   * Adds the gradient of each score at x: ∂f_c/∂x_i to {@code into[c][i]}, in the order of {@link
   * Predictor#classes}, for the features that there is room for.
   */
  void addGradient(Features x, double[][] into);
}
