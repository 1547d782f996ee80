package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.math.SplitMix;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;
import org.junit.jupiter.api.Test;

class ClustersTest {
  private static CoreSet core(List<Features> vectors) {
    CoreSet core = new CoreSet();
    KernelRow row = new KernelRow(core, Kernel.gaussian(1));
    for (Features vector : vectors) {
      row.measure(vector);
      core.add(row, true);
    }
    return core;
  }

  /** Three clouds of 20 points; feature 3 is 0 throughout. */
  private static List<Features> clouds() {
    SplitMix random = new SplitMix(1);
    List<Features> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      double far = 100 * (i % 3);
      double spread = 1 + i % 3;
      double x = (float) (far + spread * random.getAsDouble());
      double y = (float) (spread * random.getAsDouble() - far);
      all.add(Features.sparse(new int[] {0, 2, 4}, new double[] {x, 7, y}));
    }
    return all;
  }

  private static List<Features> cloud(int which) {
    List<Features> all = clouds();
    List<Features> own = new ArrayList<>();
    for (int i = which; i < all.size(); i += 3) {
      own.add(all.get(i));
    }
    return own;
  }

  private static int nearest(Clusters clusters, double x) {
    List<Features> centres = clusters.centres();
    return IntStream.range(0, clusters.count())
        .boxed()
        .min(Comparator.comparingDouble(c -> Math.abs(centres.get(c).get(0) - x)))
        .orElseThrow();
  }

  @Test
  void theCentresAreTheMeansOfTheClouds() {
    Clusters clusters = new Clusters(core(clouds()), 3);
    assertThat(clusters.count()).isEqualTo(3);
    for (int which = 0; which < 3; which++) {
      int c = nearest(clusters, 100 * which);
      for (int feature = 0; feature < 5; feature++) {
        int f = feature;
        double mean = cloud(which).stream().mapToDouble(x -> x.get(f)).average().orElseThrow();
        assertThat(clusters.centres().get(c).get(f)).isCloseTo(mean, within(1e-9));
      }
    }
  }

  /** Twice the variance is the mean squared distance of two. */
  @Test
  void theMeanSquareIsThatOfTwoRowsOfACluster() {
    Clusters clusters = new Clusters(core(clouds()), 3);
    for (int which = 0; which < 3; which++) {
      List<Features> own = cloud(which);
      double sum = 0;
      for (Features a : own) {
        for (Features b : own) {
          sum += Math.pow(a.get(0) - b.get(0), 2) + Math.pow(a.get(4) - b.get(4), 2);
        }
      }
      assertThat(clusters.meanSquare(nearest(clusters, 100 * which)))
          .isCloseTo(sum / (20 * 19), within(1e-6));
    }
  }

  @Test
  void equalRowsShareACentre() {
    List<Features> two = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      two.add(Features.dense(i % 2, 1));
    }
    Clusters clusters = new Clusters(core(two), 4);
    assertThat(clusters.count()).isEqualTo(2);
    assertThat(clusters.meanSquare(0)).isZero();
    assertThat(clusters.centres()).extracting(x -> x.get(0)).containsExactlyInAnyOrder(0.0, 1.0);
  }

  @Test
  void ofNoRowsThereAreNoClusters() {
    assertThat(new Clusters(new CoreSet(), 3).count()).isZero();
  }

  @Test
  void aRowAloneHasNoSpread() {
    Clusters clusters =
        new Clusters(core(List.of(Features.dense(1), Features.dense(2), Features.dense(90))), 2);
    assertThat(clusters.meanSquare(nearest(clusters, 90))).isZero();
    assertThat(clusters.meanSquare(nearest(clusters, 0))).isEqualTo(1);
  }

  /** Rounds of Lloyd's algorithm end where each row is at the nearest centre. */
  @Test
  void everyRowIsAtTheNearestCentre() {
    SplitMix random = new SplitMix(4);
    List<Features> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      all.add(Features.dense((float) random.getAsDouble()));
    }
    Clusters clusters = new Clusters(core(all), 2);
    double first = clusters.centres().get(0).get(0);
    double second = clusters.centres().get(1).get(0);
    double border = (first + second) / 2;
    double low =
        all.stream().mapToDouble(x -> x.get(0)).filter(x -> x < border).average().orElse(9);
    assertThat(Math.min(first, second)).isCloseTo(low, within(1e-9));
  }
}
