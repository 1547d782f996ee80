package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.math.SplitMix;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;
import org.junit.jupiter.api.Test;

/** Vectors that come and go, held against a plain list of them. */
class ExpansionTest {
  private static final Kernel KERNEL = Kernel.gaussian(0.5);

  @Test
  void aCoreSetOfReplacedAndRemovedVectorsIsTheListOfThem() {
    SplitMix random = new SplitMix(3);
    CoreSet core = new CoreSet();
    KernelRow row = new KernelRow(core, KERNEL);
    List<Features> list = new ArrayList<>();
    for (int step = 0; step < 600; step++) {
      Features x = row(random);
      row.measure(x);
      int j = list.isEmpty() ? 0 : random.nextInt(list.size());
      int action = list.size() < 3 ? 0 : random.nextInt(3);
      if (action == 0) {
        core.add(row, false);
        list.add(x);
      } else if (action == 1) {
        core.replace(j, row);
        list.set(j, x);
      } else {
        core.remove(j);
        list.set(j, list.get(list.size() - 1));
        list.remove(list.size() - 1);
      }
      check(core, row, list, x);
    }
  }

  /** Also the row that was measured before the change, which must not be taken for measured. */
  private static void check(CoreSet core, KernelRow row, List<Features> list, Features x) {
    assertThat(core.size()).isEqualTo(list.size());
    double[] k = row.measure(x);
    CoreSet fresh = new CoreSet();
    KernelRow freshRow = new KernelRow(fresh, KERNEL);
    for (Features vector : list) {
      freshRow.measure(vector);
      fresh.add(freshRow, false);
    }
    double[] expected = freshRow.measure(x);
    for (int j = 0; j < list.size(); j++) {
      assertThat(k[j]).isCloseTo(expected[j], within(1e-6));
      assertThat(core.vector(j).toString()).isEqualTo(list.get(j).toString());
    }
  }

  private static Features row(SplitMix random) {
    double[] x = new double[1 + random.nextInt(9)];
    for (int i = 0; i < 3; i++) {
      x[random.nextInt(x.length)] = 1 + random.nextInt(4);
    }
    return Features.dense(x);
  }

  @Test
  void aCellThatIsRemovedIsNoLongerCounted() {
    CoreSet core = new CoreSet();
    KernelRow row = new KernelRow(core, KERNEL);
    for (int j = 0; j < 3; j++) {
      row.measure(Features.dense(j));
      core.add(row, j != 1);
    }
    core.remove(0);
    assertThat(core.cells()).isEqualTo(1);
    assertThat(core.isCell(0)).isTrue();
    core.replace(0, row);
    assertThat(core.cells()).isEqualTo(1);
    core.remove(1);
    assertThat(core.cells()).isEqualTo(1);
  }

  @Test
  void shrinkingForEverDoesNotUnderflow() {
    Expansion f = new Expansion(KERNEL, 1);
    f.measure(Features.dense(1));
    f.add(new LabelStep(0, -1, 1, 0, 1));
    for (int i = 0; i < 500; i++) {
      f.shrink(0.1);
    }
    f.measure(Features.dense(1));
    f.add(new LabelStep(0, -1, 1, 0, 2));
    assertThat(f.coefficient(0, 0)).isLessThan(1e-300);
    assertThat(f.coefficient(0, 1)).isEqualTo(2);
  }

  @Test
  void theLastVectorTakesThePlaceOfARemovedOne() {
    Expansion f = new Expansion(KERNEL, 1);
    for (int j = 0; j < 3; j++) {
      f.measure(Features.dense(j + 1));
      f.add(new LabelStep(0, -1, 1, 0, j + 1));
    }
    f.remove(0);
    assertThat(f.coefficients(0)).containsExactly(3, 2);
    assertThat(f.vector(0)).isEqualTo(Features.dense(3));
    assertThat(f.oldest()).isEqualTo(1);
    assertThat(f.smallest()).isEqualTo(1);
  }
}
