package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.HeapSize;
import org.avm4j.Limit;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bound on bytes that {@link TreeOptions} states. */
@Tag("long")
class TreeMemoryTest {
  private static AvmTree tree(AvmOptions.Builder builder, int root, int size, int maxPoints) {
    AvmOptions machine =
        builder
            .update(Update.newton(0.1))
            .coverage(Coverage.sphere(1e-9))
            .maxSize(root, Limit.MERGE)
            .build();
    return new AvmTree(new TreeOptions(machine, size, 4, maxPoints));
  }

  private static void holdsWithinItsBound(AvmTree tree, int features, int columns, int n)
      throws IllegalAccessException {
    SplitMix random = new SplitMix(features);
    long largest = 0;
    for (int t = 0; t < n; t++) {
      double[] x = new double[features];
      Arrays.setAll(x, i -> i < 2 ? 4 * random.getAsDouble() : 0.01 * random.getAsDouble());
      double wave = Math.sin(6 * x[0]) * Math.sin(6 * x[1]);
      boolean hasClasses = tree.task().kind() == Task.Kind.MULTICLASS;
      tree.learn(Features.dense(x), hasClasses ? Math.floor(1 + wave * columns / 2.5) : wave);
      if (t % 500 == 499) {
        largest = Math.max(largest, HeapSize.of(tree));
      }
    }
    long bound = maxBytes(tree.options(), features, columns);
    assertThat(largest).isLessThan(bound);
    assertThat(tree.shape().regions()).isGreaterThan(tree.options().maxRegions() / 2);
  }

  /**
   * For a machine of S points the matrix, its inverse and what a young one remembers, 16 S²; for
   * each point its features as floats, two rows stored for relearning, its coefficients and its
   * pending terms; and for each region its centres.
   */
  private static long maxBytes(TreeOptions options, int features, int columns) {
    AvmOptions machine = options.machine();
    int size = options.size();
    long point = 20L * features + 48L * columns + 1300;
    long joint = machine.maxSize() + machine.update().linear() + 1L;
    long root = 16 * joint * joint + joint * point;
    long region = (100 + 5L * options.ways()) * features + 10_000;
    return 2 * root + options.maxRegions() * (size * (16L * size + point) + region);
  }

  @Test
  void aTreeOfFewFeaturesAtItsCapIsWithinTheBound() throws IllegalAccessException {
    holdsWithinItsBound(tree(AvmOptions.regression(), 64, 32, 800), 2, 1, 8000);
  }

  @Test
  void aTreeOfTinyMachinesAtItsCapIsWithinTheBound() throws IllegalAccessException {
    holdsWithinItsBound(tree(AvmOptions.regression(), 16, 8, 300), 3, 1, 6000);
  }

  @Test
  void aTreeOfManyFeaturesAndClassesIsWithinTheBound() throws IllegalAccessException {
    holdsWithinItsBound(tree(AvmOptions.multiclass(), 64, 32, 800), 40, 4, 8000);
  }
}
