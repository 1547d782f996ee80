package org.avm4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.avm4j.Task;
import org.junit.jupiter.api.Test;

class LabelSurveyTest {
  private static final int ROWS = 3000;

  @Test
  void countsWithALongTailAreNumbers() {
    Random random = new Random(1);
    // visits to a doctor: most people have few, some have many, and large numbers are rare
    Task visits = task(i -> (int) Math.min(95, -6 * StrictMath.log(1 - random.nextDouble())));
    assertThat(visits).isEqualTo(Task.regression());
    Task rings = task(i -> (int) Math.max(1, Math.min(29, 10 + 3 * random.nextGaussian())));
    assertThat(rings).isEqualTo(Task.regression());
  }

  @Test
  void classesAreNoCounts() {
    Random random = new Random(2);
    assertThat(task(i -> random.nextInt(26) + 1)).as("letters").isEqualTo(Task.multiclass());
    assertThat(task(i -> 7 * random.nextInt(12))).as("with gaps").isEqualTo(Task.multiclass());
    int[] sizes = {900, 3, 500, 20, 700, 8, 1, 300, 40, 2, 200, 5, 150};
    assertThat(task(i -> draw(random, sizes))).as("uneven").isEqualTo(Task.multiclass());
  }

  private static int draw(Random random, int[] sizes) {
    int left = random.nextInt(IntStream.of(sizes).sum());
    int place = 0;
    while (left >= sizes[place]) {
      left -= sizes[place++];
    }
    return place;
  }

  private static Task task(IntUnaryOperator label) {
    LabelSurvey survey = new LabelSurvey();
    for (int i = 0; i < ROWS; i++) {
      survey.add(label.applyAsInt(i));
    }
    return survey.task(false);
  }
}
