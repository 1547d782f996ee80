package org.avm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.util.Arrays;
import java.util.List;
import moa.core.InstanceExample;
import moa.core.Measurement;
import moa.evaluation.BasicClassificationPerformanceEvaluator;
import org.avm4j.eval.ClassificationMetrics;
import org.avm4j.eval.Yardsticks;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

/** Kappa, KappaT and KappaM of the same answers by MOA and by us. */
class MoaYardsticksTest {
  private static final int ROWS = 20_000;

  private final BasicClassificationPerformanceEvaluator moa =
      new BasicClassificationPerformanceEvaluator();
  private final ClassificationMetrics metrics = new ClassificationMetrics(false, false);
  private final Yardsticks yardsticks = new Yardsticks(false);
  private final InstancesHeader header = header();

  private static InstancesHeader header() {
    List<Attribute> attributes =
        List.of(new Attribute("x"), new Attribute("label", List.of("0", "1", "2")));
    InstancesHeader header = new InstancesHeader(new Instances("three", attributes, 0));
    header.setClassIndex(1);
    return header;
  }

  private void answer(int label, int answer) {
    Instance instance = new DenseInstance(1, new double[] {0, label});
    instance.setDataset(header);
    double[] votes = new double[3];
    votes[answer] = 1;
    moa.addResult(new InstanceExample(instance), votes);
    metrics.add(label, answer, votes);
    yardsticks.answered(label, answer);
    yardsticks.learned(label);
  }

  private double moa(String name) {
    return Arrays.stream(moa.getPerformanceMeasurements())
        .filter(found -> found.getName().equals(name))
        .mapToDouble(Measurement::getValue)
        .findFirst()
        .orElseThrow();
  }

  /**
   * MOA counts a label before it asks for the majority, so a few rows may differ; its last label is
   * class 0 before there is one, so that the first row here is of another class.
   */
  @Test
  void moaSaysTheSame() {
    SplitMix random = new SplitMix(11);
    int label = 1;
    for (int i = 0; i < ROWS; i++) {
      boolean stays = i == 0 || random.nextInt(10) < 7;
      label = stays ? label : Math.max(0, random.nextInt(4) - 1);
      answer(label, random.nextInt(10) < 6 ? label : random.nextInt(3));
    }
    assertThat(100 - metrics.value())
        .isCloseTo(moa("classifications correct (percent)"), within(1e-9));
    assertThat(100 * metrics.kappa()).isCloseTo(moa("Kappa Statistic (percent)"), within(1e-9));
    assertThat(100 * yardsticks.kappaT())
        .isCloseTo(moa("Kappa Temporal Statistic (percent)"), within(1e-9));
    assertThat(100 * yardsticks.kappaM())
        .isCloseTo(moa("Kappa M Statistic (percent)"), within(0.2));
  }
}
