package org.avm4j.auto.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

class LabelGraphTest {
  private static final double[] CLASSES = {3, 7};

  private final SplitMix random = new SplitMix(5);

  private static Moment now(Features x) {
    return new Moment().of(x, new PastLabels());
  }

  /** A point of one of two rings around the same centre; the third feature is noise. */
  private Features ring(boolean isOuter) {
    double angle = 2 * Math.PI * random.getAsDouble();
    double radius = (isOuter ? 2 : 1) + 0.1 * (random.getAsDouble() - 0.5);
    return Features.dense(
        5 + radius * Math.cos(angle), 100 * radius * Math.sin(angle), random.getAsDouble());
  }

  private double error(LabelGraph graph) {
    int mistakes = 0;
    double[] scores = new double[2];
    for (int t = 0; t < 1000; t++) {
      boolean isOuter = t % 2 == 0;
      graph.score(now(ring(isOuter)), CLASSES, scores);
      mistakes += scores[1] > scores[0] == isOuter ? 0 : 1;
    }
    return mistakes / 1000.0;
  }

  private LabelGraph graph(int labels, int unlabelled) {
    LabelGraph graph = new LabelGraph(Task.Kind.MULTICLASS);
    for (int t = 0; t < labels; t++) {
      graph.learn(now(ring(t % 2 == 0)), t % 2 == 0 ? 7 : 3, 1);
    }
    for (int t = 0; t < unlabelled; t++) {
      assertThat(graph.observe(now(ring(random.nextInt(2) == 0)))).isTrue();
    }
    return graph;
  }

  @Test
  void labelsSpreadAlongTheRings() {
    assertThat(error(graph(8, 0))).isGreaterThan(0.2);
    assertThat(error(graph(8, 1500))).isLessThan(0.05);
  }

  @Test
  void itTakesNoPartBeforeARowWithoutALabel() {
    LabelGraph graph = graph(20, 0);
    assertThat(graph.isReady()).isFalse();
    graph.observe(now(ring(true)));
    assertThat(graph.isReady()).isTrue();
    assertThat(graph.size()).isEqualTo(21);
  }

  @Test
  void withoutLabelsItSaysNothing() {
    double[] scores = {1, 1};
    graph(0, 50).score(now(ring(true)), CLASSES, scores);
    assertThat(scores).containsExactly(0, 0);
  }

  @Test
  void theScoreOfTwoClassesIsTheirDifference() {
    LabelGraph several = new LabelGraph(Task.Kind.MULTICLASS);
    LabelGraph two = new LabelGraph(Task.Kind.BINARY);
    for (int t = 0; t < 200; t++) {
      boolean isOuter = t % 2 == 0;
      Features x = ring(isOuter);
      if (t % 10 < 2) {
        several.learn(now(x), isOuter ? 1 : -1, 1);
        two.learn(now(x), isOuter ? 1 : -1, 1);
      } else {
        several.observe(now(x));
        two.observe(now(x));
      }
    }
    double[] scores = new double[2];
    double[] score = new double[1];
    Features x = ring(true);
    several.score(now(x), new double[] {-1, 1}, scores);
    two.score(now(x), new double[0], score);
    assertThat(score[0]).isCloseTo(scores[1], within(1e-12));
    assertThat(scores[0] + scores[1]).isCloseTo(0, within(1e-12));
  }

  /** Over the room for both kinds of rows, so that points are replaced. */
  @Test
  void whatIsReadGoesOnBitForBit() throws ModelFileException {
    LabelGraph graph = graph(1100, 2100);
    LabelGraph read = LabelGraph.decode(new Decoder(bytes(graph)), Task.Kind.MULTICLASS);
    LabelGraph frozen = graph.freeze();
    byte[] before = bytes(graph);
    assertThat(bytes(read)).isEqualTo(before);
    assertThat(graph.size()).isEqualTo(3000);
    for (int t = 0; t < 300; t++) {
      Features x = ring(t % 2 == 0);
      for (LabelGraph each : new LabelGraph[] {graph, read}) {
        if (t % 7 == 0) {
          each.learn(now(x), t % 2 == 0 ? 7 : 3, 1);
        } else {
          each.observe(now(x));
        }
      }
    }
    assertThat(bytes(read)).isEqualTo(bytes(graph)).isNotEqualTo(before);
    assertThat(bytes(frozen)).isEqualTo(before);
  }

  private static byte[] bytes(LabelGraph graph) {
    Encoder out = new Encoder();
    graph.encode(out, new SharedInputs());
    return out.toBytes();
  }
}
