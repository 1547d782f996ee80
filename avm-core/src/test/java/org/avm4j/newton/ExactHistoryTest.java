package org.avm4j.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Dense;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.OnlineLearner;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;

/** A learner that remembers exactly is as if all its vectors had been there from the start. */
class ExactHistoryTest {
  private static final double PRIOR = 0.3;
  private static final int ROOM = 100;
  private static final double[][] KERNELS = {{1, 0.5, 0.25}, {0.5, 1, 0.75}, {0.25, 0.75, 1}};

  private static Avm young(AvmOptions.Builder form) {
    Avm avm =
        new Avm(
            form.kernel(Kernel.gaussian(0.7))
                .update(Update.newton(PRIOR))
                .coverage(Coverage.sphere(1e-9))
                .maxSize(ROOM, Limit.MERGE)
                .build());
    avm.parts().rememberExactly();
    return avm;
  }

  /** Every third instance is one that came before. */
  private static List<Instance> withRepetitions(Task task, int n, int seed) {
    List<Instance> stream = new ArrayList<>(Dense.floats(Streams.of(task, n, 3, seed)));
    for (int t = 2; t < n; t += 3) {
      stream.set(t, new Instance(stream.get(t / 2).features(), stream.get(t).label()));
    }
    return stream;
  }

  @Test
  void forSquaredLossItIsRidgeRegressionOnAllVectors() {
    List<Instance> stream = withRepetitions(Task.regression(), 80, 4);
    Avm avm = young(AvmOptions.regression());
    stream.forEach(instance -> avm.learn(instance.features(), instance.label()));
    int n = avm.size();
    assertThat(n).isBetween(40, 70);
    double[][] a = new double[n][n];
    double[] b = new double[n];
    for (Instance instance : stream) {
      Dense.add(a, b, 1, instance.label(), Dense.kernels(avm, instance.features(), n));
    }
    double[] beta = solved(a, b, new double[n]);
    for (int j = 0; j < n; j++) {
      assertThat(avm.snapshot().coefficient(0, j)).isCloseTo(beta[j], within(1e-5));
    }
    for (Instance probe : stream) {
      double expected = Dense.dot(beta, Dense.kernels(avm, probe.features(), n));
      assertThat(avm.score(probe.features())[0]).isCloseTo(expected, within(1e-6));
    }
  }

  private static double[] solved(double[][] a, double[] b, double[] births) {
    for (int j = 0; j < b.length; j++) {
      a[j][j] += PRIOR * Math.max(1, births[j]);
    }
    return Dense.solve(a, b);
  }

  /**
   * By brute force: at each step all vectors so far, the new one included, are given to all
   * instances before, and the parabola is put at the score that follows.
   */
  @Test
  void forTheHingeItsSumsAreThoseOfAllVectors() {
    List<Instance> stream = withRepetitions(Task.binary(), 100, 5);
    Avm avm = young(AvmOptions.binary());
    int[] there = new int[stream.size()];
    for (int t = 0; t < stream.size(); t++) {
      avm.learn(stream.get(t).features(), stream.get(t).label());
      there[t] = avm.size();
    }
    int n = avm.size();
    double[] weight = new double[stream.size()];
    double[] goal = new double[stream.size()];
    double[] births = new double[n];
    for (int t = 0; t < stream.size(); t++) {
      births[there[t] - 1] = births[there[t] - 1] == 0 ? t + 1 : births[there[t] - 1];
      Instance instance = stream.get(t);
      double[] beta = minimum(avm, stream, weight, goal, births, t, there[t]);
      double[] k = Arrays.copyOf(Dense.kernels(avm, instance.features(), n), there[t]);
      double u = Dense.dot(beta, k) * instance.label();
      weight[t] = (t + 1) * avm.options().loss().curvature(u, 0);
      goal[t] = instance.label() * avm.options().loss().goal(u);
    }
    double[] beta = minimum(avm, stream, weight, goal, births, stream.size(), n);
    for (Instance probe : Streams.binary(30, 3, 9)) {
      double expected = Dense.dot(beta, Dense.kernels(avm, probe.features(), n));
      assertThat(avm.score(probe.features())[0]).isCloseTo(expected, within(1e-5));
    }
    assertThat(avm.isPositiveDefinite()).isTrue();
  }

  /** The minimum over the first n vectors after t instances. */
  private static double[] minimum(
      Avm avm,
      List<Instance> stream,
      double[] weight,
      double[] goal,
      double[] births,
      int t,
      int n) {
    double[][] a = new double[n][n];
    double[] b = new double[n];
    for (int s = 0; s < t; s++) {
      double[] k = Dense.kernels(avm, stream.get(s).features(), n);
      Dense.add(a, b, weight[s], goal[s], Arrays.copyOf(k, n));
    }
    return solved(a, b, births);
  }

  /** With vectors that were met before and after the class came. */
  @Test
  void aClassThatComesLateIsAsIfItHadBeenDeclared() throws IOException {
    List<Instance> stream = withRepetitions(Task.multiclass(), 110, 6);
    Avm late = young(AvmOptions.multiclass());
    Avm declared = young(AvmOptions.multiclass().task(Task.multiclass(0, 1, 2, 7)));
    for (int t = 0; t < stream.size(); t++) {
      Instance instance = stream.get(t);
      double label = t < 50 ? Math.min(1, instance.label()) : t == 70 ? 7 : instance.label();
      late.learn(instance.features(), label);
      declared.learn(instance.features(), label);
      late = t % 20 == 0 ? (Avm) OnlineLearner.fromBytes(late.toBytes()) : late;
    }
    assertThat(late.classes()).containsExactly(0, 1, 2, 7);
    for (Instance probe : Streams.multiclass(30, 3, 9)) {
      double[] expected = declared.score(probe.features());
      assertThat(late.score(probe.features())).containsExactly(expected, within(1e-9));
    }
  }

  @Test
  void whereItIsFullItLearnsOn() {
    Avm exact = young(AvmOptions.regression());
    Avm plain = new Avm(exact.options());
    for (Instance instance : Streams.regression(1000, 3, 2)) {
      exact.learn(instance.features(), instance.label());
      plain.learn(instance.features(), instance.label());
    }
    assertThat(exact.size()).isEqualTo(ROOM);
    assertThat(exact.isPositiveDefinite()).isTrue();
    assertThat(squares(exact)).isLessThan(1.1 * squares(plain));
  }

  private static double squares(Avm avm) {
    double squares = 0;
    for (Instance probe : Streams.regression(200, 3, 3)) {
      squares += Math.pow(avm.score(probe.features())[0] - probe.label(), 2);
    }
    return squares;
  }

  /** Three vectors; the first two have met instances, and the second column came late. */
  private static ExactHistory three() {
    ExactHistory history = new ExactHistory(3);
    history.add(KERNELS[0]);
    history.record(0, 2, new double[] {3}, 1);
    history.record(0, 1, new double[] {4}, 1);
    history.add(KERNELS[1]);
    history.record(1, 5, new double[] {-2, 6}, 2);
    assertThat(history.hasRoom()).isTrue();
    history.add(KERNELS[2]);
    assertThat(history.hasRoom()).isFalse();
    return history;
  }

  /** a_i = Σ_j m_j k_j K_ij with masses 3 and 5. */
  @Test
  void theBorderIsWhatTheNewVectorWouldHaveSeen() {
    double[] a = {9, 9, 9, 9};
    double square = three().border(a);
    double first = 3 * 0.25;
    double second = 5 * 0.75;
    assertThat(a).containsExactly(first + second * 0.5, first * 0.5 + second, 0, 9);
    assertThat(square).isEqualTo(first * 0.25 + second * 0.75);
  }

  @Test
  void aColumnThatCameLaterHasTheGoalsOfTheLastBeforeIt() {
    assertThat(three().goal(0)).isEqualTo(0.25 * 7 + 0.75 * -2);
    assertThat(three().goal(1)).isEqualTo(0.25 * 7 + 0.75 * 6);
    ExactHistory late = three();
    late.record(0, 1, new double[] {1, 2, 3}, 3);
    assertThat(late.goal(0)).isEqualTo(0.25 * 8 + 0.75 * -2);
    assertThat(late.goal(1)).isEqualTo(0.25 * 9 + 0.75 * 6);
    assertThat(late.goal(2)).isEqualTo(0.25 * 10 + 0.75 * 6);
    ExactHistory unmet = new ExactHistory(3);
    unmet.add(KERNELS[0]);
    unmet.add(KERNELS[1]);
    assertThat(unmet.goal(0)).isZero();
  }

  private static ExactHistory read(ExactHistory history, int most, int vectors, int columns)
      throws ModelFileException {
    Encoder out = new Encoder();
    history.encode(out);
    return ExactHistory.decode(new Decoder(out.toBytes()), most, vectors, columns);
  }

  @Test
  void itIsReadAsItWasWrittenForTheSameLearnerAlone() throws ModelFileException {
    ExactHistory read = read(three(), 3, 3, 2);
    double[] a = new double[3];
    double[] expected = new double[3];
    assertThat(read.border(a)).isEqualTo(three().border(expected));
    assertThat(a).isEqualTo(expected);
    assertThat(read.goal(1)).isEqualTo(three().goal(1));
    assertThat(read.hasRoom()).isFalse();
    assertThatThrownBy(() -> read(three(), 4, 3, 2)).hasMessageContaining("room for 4 vectors: 3");
    assertThatThrownBy(() -> read(three(), 3, 2, 2)).hasMessageContaining("all 2 vectors must be");
    assertThatThrownBy(() -> read(three(), 3, 3, 1)).hasMessageContaining("the columns of a");
  }
}
