package org.avm4j.machine;

import java.util.function.IntConsumer;
import org.avm4j.Coverage;
import org.avm4j.points.CoreSet;
import org.avm4j.points.Interpolation;
import org.avm4j.points.KernelRow;
import org.avm4j.step.Memory;
import org.avm4j.step.Weights;

/**
 * The vectors of a learner with what is stored for each of them: its features, its coefficients and
 * the step at which its cell was last met. Adding and removing a vector changes all of these
 * together.
 */
public final class Points {
  private final CoreSet core;
  private final Weights weights;
  private final Memory memory;

  Points(CoreSet core, Weights weights, Memory memory) {
    this.core = core;
    this.weights = weights;
    this.memory = memory;
  }

  CoreSet core() {
    return core;
  }

  int size() {
    return core.size();
  }

  /** Adds the vector of the row; returns its place. */
  int add(KernelRow row, boolean isCell, Interpolation.Near history) {
    int j = core.add(row, isCell);
    weights.grow(core.size(), history);
    return j;
  }

  /** Adds the vector of the row with its exact history; returns its place. */
  int add(KernelRow row, boolean isCell) {
    int j = core.add(row, isCell);
    weights.grow(core.size(), row);
    return j;
  }

  /** Whether a new vector gets an exact history. */
  boolean remembersExactly() {
    return weights.remembersExactly();
  }

  /** Notes that this step met the cell of vector j. */
  public void meet(int j) {
    memory.meet(j, core.size(), weights.t());
  }

  /** Vector {@code into} absorbs vector j; the last vector takes its place. */
  void absorb(int j, int into) {
    if (core.isCell(j)) {
      core.makeCell(into);
    }
    memory.absorb(j, into);
    remove(j, into);
  }

  /**
   * Releases vectors whose cells have not been met for a long time and that hardly contribute.
   *
   * @param released is called with the place of each released vector, after the last vector has
   *     taken that place
   */
  public void release(IntConsumer released) {
    int before = core.size();
    double negligible = weights.negligibleStrength();
    for (int j = before - 1; j >= 0; j--) {
      if (memory.isUnseen(j, weights.t()) && weights.strength(j) <= negligible) {
        remove(j, Coverage.NONE);
        released.accept(j);
      }
    }
    if (core.size() < before) {
      weights.renew();
    }
  }

  private void remove(int j, int into) {
    memory.remove(j, core.size());
    weights.remove(j, into);
    core.remove(j);
  }
}
